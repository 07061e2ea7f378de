"""Rows that were not served, of a cassette that several tests share: each answers for its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from intercept.cassette.layouts import layout_of
from intercept.cassette.replayer import Replayer
from intercept.paths import Location
from tests.core.handmade import header, row


@pytest.mark.parametrize(
    ("test", "remaining"),
    [
        (None, [2, 3, 4, 5]),
        ("tests/test_it.py::test_one", [2, 4]),
        ("tests/test_it.py::test_two", [3, 4]),
        ("tests/test_it.py::test_new", [4]),
    ],
)
def test_a_test_answers_for_its_own_rows(test: str | None, remaining: list[int], tmp_path: Path) -> None:
    """And for those that say of no test; one that recorded nothing of a request may use others', but need not."""
    tests = ["tests/test_it.py::test_one", "tests/test_it.py::test_two", None, "tests/test_it.py::test_three"]
    rows = [row(request_hash=f"{number}" * 64, test=told) for number, told in enumerate(tests)]
    path = tmp_path / "shared.jsonl"
    path.write_bytes(header() + b"".join(rows))
    cassette = layout_of(Location(path)).read()

    assert [place.number for place in Replayer(cassette, test).remaining()] == remaining
    cassette.close()
