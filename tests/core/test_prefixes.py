"""A cassette that was cut off at any byte: what was whole is read, and nothing is fused with what is added later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.errors import CassetteError
from tests.core.handmade import ABSENT, header
from tests.core.opening import opened as gone_through
from tests.core.recording import UPDATE
from tests.core.storing import extended, layout_at, opened, rows_of, written

_HEADER = header(sdks=ABSENT, redaction=ABSENT)
_ROWS = [
    written("é👋", "a\\ \n", occurrence=0),
    written("é👋", "b", occurrence=1),
    written("c", {"n": [-1.5e-7, None]}),
]
_PLAIN = _HEADER + b"".join(_ROWS)
_WHOLE: dict[str, bytes] = {
    "plain": _PLAIN,
    "escaped": _PLAIN.replace("é👋".encode(), b"\\u00e9\\ud83d\\udc4b"),
    "BOM and CRLF": b"\xef\xbb\xbf" + _PLAIN.replace(b"\n", b"\r\n"),
    "blank lines": _PLAIN.replace(b"\n", b"\n \t\n"),
}
every_form = pytest.mark.parametrize("whole", _WHOLE.values(), ids=_WHOLE.keys())
every_step = pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])


def _cuts(whole: bytes, step: int) -> Iterator[int]:
    """Give the lengths to cut at: each `step`th, and those around the ends of lines."""
    for length in range(len(whole) + 1):
        if length % step == 0 or length < 5 or b"\n" in whole[length - 3 : length + 1]:
            yield length


def _whole_lines(content: bytes) -> tuple[list[Any], bool]:
    """Return what the whole lines of a file hold, and whether more follows: as anybody reads JSON lines."""
    found: list[Any] = []
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip():
            try:
                found.append(json.loads(line))
            except ValueError:
                return found, True
    return found, False


@every_step
@every_form
@pytest.mark.slow
def test_a_file_that_was_cut_off_can_be_extended(whole: bytes, step: int, path: Path) -> None:
    """All whole rows are there afterwards and the new one; of a torn one it is told, and a torn header is refused."""
    wrong: list[object] = []

    for length in _cuts(whole, step):
        path.write_bytes(whole[:length])
        lines, torn = _whole_lines(whole[:length])
        refused = torn and not lines
        try:
            told = len(extended(path, "new"))
        except CassetteError:
            seen: object = path.read_bytes() == whole[:length]
            expected: object = refused
        else:
            with opened(path) as (cassette, warned):
                seen = [told, warned, rows_of(cassette)]
            expected = "refused" if refused else [torn, [], [*lines[1:], json.loads(written("new", "added"))]]
        if seen != expected:
            wrong.append((length, seen, expected))

    assert wrong == []


@every_step
@every_form
def test_a_file_that_was_cut_off_is_read_or_refused(whole: bytes, step: int, path: Path) -> None:
    """With one warning that names the torn line; nothing is changed by reading."""
    wrong: list[object] = []

    for length in _cuts(whole, step):
        path.write_bytes(whole[:length])
        lines, torn = _whole_lines(whole[:length])
        number = 1 + whole[:length].count(b"\n")
        expected: object = [[f"{path}:{number}: the last row"] * torn, lines[1:]] if lines else CassetteError
        seen: object
        try:
            with opened(path) as (cassette, warned):
                seen = [[text[: len(f"{path}:{number}: the last row")] for text in warned], rows_of(cassette)]
        except Exception as error:  # noqa: BLE001  whatever it is, it is compared
            seen = type(error)
        if seen != expected or path.read_bytes() != whole[:length]:
            wrong.append((length, seen, expected))

    assert wrong == []


def _folder(path: Path) -> list[Path]:
    """Write a cassette of three rows that is a folder; return its files."""
    extended(path, "é👋", "é👋", "c")
    return sorted(path.iterdir())


@every_step
@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_folder_in_which_a_file_was_cut_off_is_refused(which: int, step: int, tmp_path: Path) -> None:
    """By the name of the file, also by who wants to add to it; a newline at its end does not matter."""
    cassette = tmp_path / "folder"
    file = _folder(cassette)[which]
    whole = file.read_bytes()
    wrong: list[object] = []

    for length in range(0, len(whole) - 1, step):
        file.write_bytes(whole[:length])
        for use in (layout_at(cassette).read, lambda: extended(cassette, "new")):
            try:
                use()
                wrong.append((length, "read"))
            except CassetteError as error:
                if error.where != str(file):
                    wrong.append((length, error.where))

    assert wrong == []
    assert len(list(cassette.iterdir())) == 3
    file.write_bytes(whole[:-1])
    extended(cassette, "new")
    with opened(cassette) as (found, warned):
        assert (len(found), warned) == (4, [])


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
def test_every_prefix_is_opened_or_refused_by_every_mode_that_writes(mode: str, path: Path) -> None:
    """A session without a call leaves the file as it was, whatever it is."""
    wrong: list[object] = []

    for length in range(len(_PLAIN) + 1):
        path.write_bytes(_PLAIN[:length])
        lines, torn = _whole_lines(_PLAIN[:length])
        number = 1 + _PLAIN[:length].count(b"\n")
        expected: object = [f"{path}:{number}"] * torn if lines or not torn else intercept.CassetteError
        seen: object
        try:
            seen = [text.partition(": ")[0] for text in gone_through(path, mode)]
        except Exception as error:  # noqa: BLE001  likewise
            seen = type(error)
        if seen != expected or path.read_bytes() != _PLAIN[:length]:
            wrong.append((length, seen, expected))

    assert wrong == []
