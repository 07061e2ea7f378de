"""Many rows of one request: opened, numbered and added to in one pass."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from intercept.cassette.adopting import settle
from intercept.cassette.format import Origin
from intercept.cassette.lines import LineLayout
from intercept.cassette.state import Recorded
from tests.core.handmade import header
from tests.core.storing import answers, call_of, extended, key_of, layout_at, nobody_knows, written

pytestmark = pytest.mark.slow

_RATIO = 40
"""Times as long that ten times as many rows may take; a pass for each row would be a hundred times."""


def _filled(cassette: Path, count: int, *, sequence: bool = False) -> None:
    """Write a cassette with this many rows of one request."""
    row = written("hi", "x", occurrence=7_777_777, **({"sequence": 8_888_888} if sequence else {}))
    rows = [row.replace(b"7777777", str(n).encode()).replace(b"8888888", str(n).encode()) for n in range(count)]
    if cassette.suffix:
        cassette.write_bytes(header() + b"".join(rows))
        return
    cassette.mkdir()
    stem = key_of(call_of("hi"))[1]
    for rank, text in enumerate(rows, 1):
        name = f"{stem}.json" if rank == 1 else f"{stem}.{rank}.json"
        (cassette / name).write_bytes(b'{"v":1,"hash_version":1,' + text[1:])


def _extended(cassette: Path, count: int) -> float:
    _filled(cassette, count)

    began = time.perf_counter()
    extended(cassette, "hi", "hi")
    taken = time.perf_counter() - began

    assert answers(cassette) == ["x"] * count + ["added"] * 2
    return taken


@pytest.mark.parametrize(
    ("name", "few", "many"),
    [
        ("x.jsonl", 80, 400),
        ("x", 80, 400),
        pytest.param("x.jsonl", 15_000, 150_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
        pytest.param("x", 1_000, 10_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
    ],
)
def test_a_long_group_is_extended_in_one_pass(name: str, few: int, many: int, tmp_path: Path) -> None:
    """Ten times as many rows take ten times as long, or little more."""
    paths = [tmp_path / str(few) / name, tmp_path / str(many) / name]
    for path in paths:
        path.parent.mkdir()

    short, long = _extended(paths[0], few), _extended(paths[1], many)

    assert long < _RATIO * short + 1


def _settled(folder: Path, name: str, count: int) -> float:
    """Put a recording of this many rows into the place of as many."""
    folder.mkdir()
    _filled(folder / name, count)
    _filled(folder / "new.jsonl", count, sequence=True)
    layout, new = layout_at(folder / name), LineLayout(folder / "new.jsonl").read()

    began = time.perf_counter()
    settle(layout, new, "update", Recorded(None), origin=Origin({}, "x"), caps=nobody_knows)
    taken = time.perf_counter() - began

    new.close()
    assert answers(folder / name) == ["x"] * count
    return taken


@pytest.mark.parametrize(
    ("name", "few", "many"),
    [
        ("x.jsonl", 80, 400),
        ("x", 15, 80),
        pytest.param("x.jsonl", 15_000, 150_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
        pytest.param("x", 200, 2_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)]),
    ],
)
def test_a_long_group_is_put_in_its_place_in_one_pass(name: str, few: int, many: int, tmp_path: Path) -> None:
    """Likewise; each file of a folder is written to the disk, which takes its time."""
    short, long = _settled(tmp_path / "few", name, few), _settled(tmp_path / "many", name, many)

    assert long < _RATIO * short + 1
