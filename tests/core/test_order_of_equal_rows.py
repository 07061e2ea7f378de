"""The order in which the rows of one request are served, in both layouts, and which number the next one gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from intercept.errors import CassetteError
from tests.core.handmade import laid_out
from tests.core.storing import answers, every_layout, extended, layout_at, opened, rows_of, written


def _rows(occurrences: list[Any]) -> list[bytes]:
    """Write rows that answer with their place; "" stands for a row without the field."""
    rows = [written("hi", str(place), occurrence=number) for place, number in enumerate(occurrences)]
    return [row.replace(b'"occurrence":"",', b"") for row in rows]


_ORDERS: list[tuple[list[Any], str, int]] = [
    ([0, 1, 2], "012", 3),
    ([2, 0, 1], "120", 3),
    ([7, 3, 40], "102", 41),
    ([2**53 - 2, 0], "10", 2**53 - 1),
    ([None, None, None], "012", 3),
    (["", "", ""], "012", 3),
    ([2, None, 0], "012", 3),
    ([1, None, 1], "012", 3),
    ([9, "", 3], "012", 10),
    (["", 0], "01", 2),
    ([*range(12)], "0123456789ab", 12),
    ([*reversed(range(12))], "ba9876543210", 12),
]


@every_layout
@pytest.mark.parametrize(("occurrences", "order", "following"), _ORDERS)
def test_rows_are_served_by_number_where_all_have_one_and_else_as_they_stand(
    occurrences: list[Any], order: str, following: int, name: str, path: Path
) -> None:
    """Gaps are no fault. What is added comes last, with a number past all others."""
    cassette = path.with_name(name)
    laid_out(cassette, *_rows(occurrences))
    expected = [str(int(place, 16)) for place in order]

    assert answers(cassette) == expected
    extended(cassette, "hi")

    assert answers(cassette) == [*expected, "added"]
    with opened(cassette) as (found, _):
        numbers = [row.get("occurrence") for row in rows_of(found)]
    assert numbers == [None if number == "" else number for number in occurrences] + [following]


@every_layout
@pytest.mark.parametrize(
    ("occurrences", "first", "second"), [([0, 0], 0, 1), ([5, 0, 5, 1], 0, 2), ([3, 2, 1, 1], 2, 3)]
)
def test_a_number_given_twice_is_refused_in_both_layouts(
    occurrences: list[Any], first: int, second: int, name: str, path: Path
) -> None:
    """Both places are named; nothing is added either."""
    cassette = path.with_name(name)
    wheres = laid_out(cassette, *_rows(occurrences))
    spot = f"line {first + 2}" if cassette.suffix else Path(wheres[first]).name

    for use in (layout_at(cassette).read, lambda: extended(cassette, "ho")):
        with pytest.raises(CassetteError) as caught:
            use()

        assert caught.value.where == wheres[second]
        assert f"occurrence: {occurrences[second]} of this request stands in {spot} already" in caught.value.reason


@every_layout
def test_numbers_count_for_each_request_by_itself(name: str, path: Path) -> None:
    """Gaps of one do not move another."""
    cassette = path.with_name(name)
    laid_out(cassette, written("hi", occurrence=0), written("ho", occurrence=5), written("hi", occurrence=8))

    extended(cassette, "ho", "new", "hi", "ho", "new")

    with opened(cassette) as (found, _):
        rows = [(row["request"]["body"]["input"], row["occurrence"]) for row in rows_of(found)]
    assert sorted(rows) == [("hi", 0), ("hi", 8), ("hi", 9), ("ho", 5), ("ho", 6), ("ho", 7), ("new", 0), ("new", 1)]


def test_what_is_added_to_a_folder_with_gaps_in_its_names_comes_last(tmp_path: Path) -> None:
    """Also where rows have no numbers, so that the names of their files alone tell their order."""
    cassette = tmp_path / "x"
    _, second, _ = laid_out(cassette, *_rows([None, None, None]))
    Path(second).unlink()

    extended(cassette, "hi", "hi")

    assert answers(cassette) == ["0", "2", "added", "added"]
