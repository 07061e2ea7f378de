"""Recorders of one cassette in different processes: which may go together, and who is told to wait for whom."""

from __future__ import annotations

import signal
import time
import warnings
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.children import PATIENCE, Child, Report, ended_well
from tests.core.recording import SYNC, asking, record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

_PAIRS = [
    ("record", "record"),
    ("record", "extend"),
    ("update", "update"),
    ("update", "record"),
    ("extend", "record"),
    ("extend", "update"),
]


def _waiting(report: Report, path: Path, mode: str, url: str, until: Path) -> None:
    """Record one question, and stay until a file is there."""
    with intercept.use_cassette(path, mode=mode):
        report(SYNC.run(asking("first"), SYNC.client(url)))
        end = time.monotonic() + PATIENCE
        while not until.exists() and time.monotonic() < end:
            time.sleep(0.005)


@pytest.mark.parametrize(("first", "second"), _PAIRS)
def test_a_second_recorder_fails_at_once_and_names_the_first(
    first: str, second: str, *, provider: Provider, place: Path, tmp_path: Path
) -> None:
    """It sends nothing and changes nothing; once the first has ended well there is nobody to wait for."""
    end = tmp_path / "end"
    child = Child(_waiting, place, first, provider.url, end)
    child.report()

    with pytest.raises(intercept.CassetteError) as caught:
        record(place, provider.url, "second", mode=second)
    refused = provider.hits
    end.touch()
    ended_well(child)
    record(place, provider.url, "second", mode=second)

    assert f"{place}: it is being recorded already, by process {child.pid} (mode {first})" in str(caught.value)
    assert refused == 1
    assert intercept.validate(place) == []
    assert provider.hits == 2


@pytest.mark.parametrize(("first", "second"), [*_PAIRS, ("extend", "extend")])
def test_a_recorder_that_was_killed_is_waited_for_by_nobody(
    first: str, second: str, *, provider: Provider, place: Path, tmp_path: Path
) -> None:
    """Its lock is free with its last breath; what it left is not taken for the new recording's."""
    child = Child(_waiting, place, first, provider.url, tmp_path / "end")
    child.report()
    child.send(signal.SIGKILL)
    child.rest()
    begun = time.monotonic()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        record(place, provider.url, "second", mode=second)

    assert time.monotonic() - begun < PATIENCE / 4
    assert [warning.category for warning in caught] == [intercept.InterceptWarning] * ("extend" not in {first, second})
    assert intercept.validate(place) == []
    assert provider.hits == 2
