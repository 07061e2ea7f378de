"""Broken lines: refused by their number, but for a last one that was torn off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import intercept
from intercept.cassette.lines import read
from tests.core.handmade import header, row, three_rows
from tests.core.opening import ROW, every_mode, opened, refused, untouched

_LINES = three_rows().splitlines(keepends=True)
_BROKEN: dict[str, tuple[bytes, int, str]] = {
    "a merge conflict": (
        b"".join([*_LINES[:2], b"<<<<<<< HEAD\n", _LINES[2], b"=======\n", _LINES[3], b">>>>>>> feature\n"]),
        3,
        "merge",
    ),
    "a merge conflict in the header": (b"<<<<<<< HEAD\n" + three_rows(), 1, "merge"),
    "the end of a merge conflict": (three_rows() + b">>>>>>> feature\n", 5, "merge"),
    "the end of a merge conflict, unended": (three_rows() + b">>>>>>> feature", 5, "merge"),
    "the base of a merge conflict": (three_rows() + b"||||||| 43b01cf\n", 5, "merge"),
    "the middle of a merge conflict": (three_rows() + b"=======\r\n", 5, "merge"),
    "a second header": (three_rows() + header() + row(occurrence=5), 5, "header"),
    "a second header at the end": (three_rows() + header(), 5, "header"),
    "a second header at the end, unended": (three_rows() + header().strip(), 5, "header"),
    "a row torn in the middle": (header() + ROW[:100] + b"\n" + row(occurrence=1), 2, ""),
    "a row torn in the middle of a character": (header() + ROW[: ROW.index(b"\xc3") + 1] + b"\n" + ROW, 2, ""),
    "two rows in one line": (header() + ROW.strip() + row(occurrence=1), 2, ""),
    "a torn row with one appended to it": (header() + ROW[:100] + row(occurrence=1) + row(occurrence=2), 2, ""),
    "a torn row at the end, ended": (header() + ROW + ROW[:100] + b"\n", 3, ""),
    "NUL bytes for a row": (header() + bytes(512) + b"\n" + ROW, 2, ""),
    "invalid UTF-8 in a field": (header() + ROW.replace(b"/chat", b"/\xff", 1), 2, ""),
    "a row that is a list": (header() + b"[" + ROW.strip() + b"]\n", 2, ""),
    "a row that is null": (header() + b"null\n", 2, ""),
    "a row of an unknown kind": (header() + row(kind="note"), 2, "kind"),
    "a row of an unknown kind, unended": (header() + row(kind="note").strip(), 2, "kind"),
    "a whole row with a wrong field, unended": (header() + ROW + row(status="200").strip(), 3, "status"),
    "a lone surrogate": (header() + ROW.replace(b"gpt-4o", b"\\ud83d"), 2, ""),
    "lines ended by CR alone": (three_rows().replace(b"\n", b"\r"), 1, ""),
    "rows ended by CR alone": (header() + ROW + three_rows().partition(b"\n")[2].replace(b"\n", b"\r"), 3, ""),
    "NaN": (header() + row(usage={"input": float("nan")}), 2, ""),
    "an integer of 5,000 digits": (header() + ROW.replace(b":200,", b":" + b"2" * 5_000 + b","), 2, "status"),
}


@every_mode
@pytest.mark.parametrize(("content", "number", "word"), _BROKEN.values(), ids=_BROKEN.keys())
def test_a_broken_line_is_refused_by_its_number(content: bytes, number: int, word: str, mode: str, path: Path) -> None:
    """A complete line that is wrong is an error even at the end: only what was torn off may be left out."""
    path.write_bytes(content)

    error = refused(path, mode)

    assert error.where == f"{path}:{number}"
    assert word in error.reason


@every_mode
@pytest.mark.parametrize("tail", [ROW[:1], ROW[:100], ROW[:-2], ROW[: ROW.index(b"\xc3") + 1], bytes(512)])
def test_a_last_line_that_was_torn_off_loses_only_itself(tail: bytes, mode: str, path: Path) -> None:
    """With a warning that names the line; a disk that lost its power leaves NUL bytes there."""
    path.write_bytes(three_rows() + tail)

    with untouched(path):
        (warned,) = opened(path, mode)
    with pytest.warns(intercept.InterceptWarning, match=rf"{re.escape(str(path))}:5: .*cut off"):
        cassette = read(path)

    assert warned.startswith(f"{path}:5: ")
    assert len(cassette) == 3
