"""Cassettes with random damage: whatever it is, they are opened or refused by the one error, and so is each row."""

from __future__ import annotations

import contextlib
import time
import warnings
from pathlib import Path

import pytest

import intercept
from intercept.cassette.index import Cassette
from intercept.cassette.replayer import Replayer
from intercept.errors import CassetteError, Exhausted
from tests.core.handmade import header
from tests.core.mutating import mutated, seeded
from tests.core.storing import call_of, extended, layout_at, written

pytestmark = pytest.mark.slow

_SMALL = header() + b"".join(
    [
        written("hi", "hello", test="tests/test_it.py::test_it"),
        written("hi", {"a": [1, 2.5, None]}, occurrence=1),
        written("ho", "", end="closed"),
        written(
            "👋",
            "é",
            headers=(("content-type", "text/plain"),),
            usage=intercept.Usage(1, 0, 0, 2, 0),
            usage_semantics="x",
        ),
    ]
)
_REAL = sorted((Path(__file__).parents[2] / "cassettes").rglob("*.jsonl"))
_SLOWEST = 5.0
"""Seconds for one file of a few kilobytes, on a machine that does other things too."""

_MANY = pytest.param(33_400, marks=[pytest.mark.slow, pytest.mark.timeout(1_200)])
some = pytest.mark.parametrize("count", [1_000, _MANY], ids=["some", "many"])


def _served(cassette: Cassette) -> int:
    """Serve every row; return how many were refused."""
    refused = 0
    call = call_of()
    for key, place in cassette.in_order():
        replayer = Replayer(cassette, place.test)
        replayer._places[key] = [place]
        try:
            taken = replayer.take(call, key)
            assert taken is not None
            for _ in taken[0].chunks:
                pass
        except CassetteError as error:
            refused += error.where == cassette.where(place)
        except Exhausted:
            pass  # a stream that was left early
    return refused


def _tried(path: Path) -> tuple[object, float]:
    """Open a cassette and serve it; return the fault of ours, if there is one, and the seconds it took."""
    began = time.perf_counter()
    fault: object = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said = intercept.validate(path)
            try:
                cassette = layout_at(path).read()
            except CassetteError as error:
                if [told.where for told in said] != [error.where]:
                    fault = (error, said)
            else:
                if _served(cassette) != len(said):
                    fault = said
                cassette.close()
    except Exception as error:  # noqa: BLE001  whatever it is, it is compared
        fault = error
    return fault, time.perf_counter() - began


def _all_tried(count: int, seed: str, wholes: list[bytes], path: Path) -> list[object]:
    chance = seeded(seed)
    wrong: list[object] = []
    for number in range(count):
        content = mutated(chance, wholes[number % len(wholes)])
        path.write_bytes(content)
        fault, seconds = _tried(path if path.suffix == ".jsonl" else path.parent)
        if fault is not None or seconds > _SLOWEST or path.read_bytes() != content:
            wrong.append((number, fault, seconds, content[:200]))
    return wrong


@some
def test_a_damaged_file_is_opened_and_served_or_refused(count: int, path: Path) -> None:
    """And `validate` finds what would be refused, no more and no less."""
    assert _all_tried(count, "small", [_SMALL], path) == []


@some
def test_a_damaged_recording_is_opened_and_served_or_refused(count: int, path: Path) -> None:
    """Real ones, with streams, tools and usage."""
    wholes = [file.read_bytes() for file in _REAL]

    assert len(wholes) > 5
    assert _all_tried(count, "real", wholes, path) == []


@some
def test_a_folder_with_a_damaged_file_is_opened_and_served_or_refused(count: int, tmp_path: Path) -> None:
    """One file of three is damaged, the others are as they were."""
    cassette = tmp_path / "cassette"
    extended(cassette, "hi", "hi", "👋", answer={"a": [1, 2.5, None]})
    file = min(cassette.iterdir())

    assert _all_tried(count, "folder", [file.read_bytes()], file) == []


@pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.slow)], ids=["some", "many"])
def test_a_damaged_file_that_is_extended_keeps_every_row_it_had(count: int, path: Path) -> None:
    """It is extended and can be read, or is refused and stays as it was; never fused, never numbered twice."""
    chance = seeded("extended")
    wrong: list[object] = []

    for number in range(count):
        content = mutated(chance, _SMALL)
        path.write_bytes(content)
        before: list[bytes] | None = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                before = _texts(path)
            extended(path, "hi")
        except CassetteError:
            if path.read_bytes() != content or before is not None:
                wrong.append((number, "changed", content))
            continue
        after = _texts(path)
        if after[:-1] != (before or []) or b'"added"' not in after[-1]:
            wrong.append((number, after, content))

    assert wrong == []


def _texts(path: Path) -> list[bytes]:
    """Return the text of each row; none for a file with nothing in it."""
    cassette = layout_at(path).existing()
    if cassette is None:
        return []
    with contextlib.closing(cassette):
        return [cassette.text(place) for _, place in cassette.in_order()]
