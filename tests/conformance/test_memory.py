"""A long stream is held once while it is recorded."""

from __future__ import annotations

import pytest

from benchmarks.streams import memory


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_recording_a_long_stream_takes_its_list_of_events_and_little_more() -> None:
    """100 MB of events: the peak is at most a tenth above what the list of them takes."""
    peak, events = memory("record")

    assert 0.9 < peak / events < 1.1
