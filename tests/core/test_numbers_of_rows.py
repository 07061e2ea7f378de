"""The numbers of rows with one request: the order in which they are served."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from intercept.cassette.lines import read
from tests.core.handmade import ABSENT, header, row
from tests.core.opening import MODES, every_mode, opened, refused


def _lines_served(path: Path) -> list[int]:
    (group,) = read(path).groups.values()
    return [place.number for place in group]


@pytest.mark.parametrize(
    ("occurrences", "lines"),
    [
        ([0, 1, 2], [2, 3, 4]),
        ([2, 0, 1], [3, 4, 2]),
        ([7, 3, 40], [3, 2, 4]),
        ([2**53 - 1, 0, 1], [3, 4, 2]),
        ([None, None, None], [2, 3, 4]),
        ([2, None, 0], [2, 3, 4]),
        ([1, None, 1], [2, 3, 4]),
        ([ABSENT, 1, 0], [2, 3, 4]),
    ],
)
def test_numbered_rows_are_served_by_number_and_others_as_they_stand(
    occurrences: list[Any], lines: list[int], path: Path
) -> None:
    """Gaps are no fault; where a number is missing, none of the group counts."""
    path.write_bytes(header() + b"".join(row(occurrence=number) for number in occurrences))

    assert _lines_served(path) == lines
    assert [opened(path, mode) for mode in MODES] == [[], []]


@every_mode
def test_a_number_given_twice_is_refused(mode: str, path: Path) -> None:
    """Two recordings in one file: nobody knows which answer is meant."""
    path.write_bytes(header() + row(occurrence=1) + row(occurrence=0) + row(occurrence=1))

    error = refused(path, mode)

    assert error.where == f"{path}:4"
    assert re.search(r"occurrence: 1 .*line 2", error.reason)


def test_a_number_given_to_two_requests_is_fine(path: Path) -> None:
    """Numbers count within one request of one adapter."""
    path.write_bytes(header() + row() + row(request_hash="1" * 64) + row(adapter="anthropic", usage=None))

    assert [opened(path, mode) for mode in MODES] == [[], []]
    assert len(read(path)) == 3
