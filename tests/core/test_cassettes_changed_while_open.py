"""A cassette that is changed on the disk while it is replayed: what was opened is served, or refused; nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import intercept
from intercept.cassette.replayer import Replayer
from intercept.errors import CassetteError
from tests.core.handmade import header, laid_out
from tests.core.storing import call_of, every_layout, extended, key_of, layout_at, written

_ROWS = [written("hi", "0", occurrence=0), written("hi", "1", occurrence=1), written("ho", "2")]


def _files(cassette: Path) -> list[Path]:
    return [cassette] if cassette.suffix else sorted(cassette.iterdir())


def _removed(cassette: Path) -> None:
    for file in _files(cassette):
        file.unlink()


def _truncated(cassette: Path) -> None:
    for file in _files(cassette):
        os.truncate(file, 0)


def _halved(cassette: Path) -> None:
    for file in _files(cassette):
        os.truncate(file, file.stat().st_size // 2)


def _zeroed(cassette: Path) -> None:
    for file in _files(cassette):
        file.write_bytes(bytes(file.stat().st_size))


def _swapped_in_place(cassette: Path) -> None:
    """Give each row of one request the number of the other; every byte of the rest stays where it was."""
    for file in _files(cassette):
        text = file.read_bytes()
        marks = [b'"occurrence":%d' % number for number in (0, 1)]
        file.write_bytes(text.replace(marks[0], b"@").replace(marks[1], marks[0]).replace(b"@", marks[1]))


def _shifted_in_place(cassette: Path) -> None:
    for file in _files(cassette):
        file.write_bytes(b"\n" + file.read_bytes())


def _exchanged_in_place(cassette: Path) -> None:
    """Write other answers over what is there."""
    rows = [row.replace(b'{"text":"', b'{"text":"other ') for row in _ROWS]
    if cassette.suffix:
        cassette.write_bytes(header() + b"".join(rows))
        return
    for file in _files(cassette):
        file.write_bytes(file.read_bytes().replace(b'{"text":"', b'{"text":"other '))


def _replaced(cassette: Path) -> None:
    """Put a new recording in its place, as git and a recording do."""
    new = cassette.with_name(f"new{cassette.suffix}")
    laid_out(new, *(row.replace(b'{"text":"', b'{"text":"other ') for row in _ROWS))
    if not cassette.suffix:
        shutil.rmtree(cassette)
    new.replace(cassette)


def _replaced_by_a_folder(cassette: Path) -> None:
    for file in _files(cassette):
        file.unlink()
        file.mkdir()


def _added_to(cassette: Path) -> None:
    extended(cassette, "hi", "he")


_CHANGES: list[Callable[[Path], None]] = [
    *(_removed, _truncated, _halved, _zeroed, _swapped_in_place, _shifted_in_place, _exchanged_in_place, _replaced),
    *(_replaced_by_a_folder, _added_to),
]


def _outcome(replayer: Replayer, text: str) -> str:
    try:
        taken = replayer.take(call_of(text), key_of(call_of(text)))
        return "none" if taken is None else b"".join(taken[0].chunks).decode()
    except CassetteError:
        return "refused"


@every_layout
@pytest.mark.parametrize("change", _CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_what_was_opened_is_served_or_refused(change: Callable[[Path], None], name: str, path: Path) -> None:
    """Never another's answer, and no other error."""
    cassette = path.with_name(name)
    laid_out(cassette, *_ROWS)
    opened = layout_at(cassette).read()
    replayer = Replayer(opened)
    served = [_outcome(replayer, "hi")]

    change(cassette)
    served += [_outcome(replayer, text) for text in ("hi", "ho")]
    opened.close()

    kept = change is _added_to or (bool(cassette.suffix) and change in (_removed, _replaced, _replaced_by_a_folder))
    assert served[0] == "0"
    assert served[1:] == (["1", "2"] if kept else ["refused"] * 2) or (
        change is _swapped_in_place and served[1:] == ["refused", "2"]
    )


@every_layout
def test_a_row_that_was_refused_is_not_used_up(name: str, path: Path) -> None:
    """Once the change is undone it is served."""
    cassette = path.with_name(name)
    laid_out(cassette, *_ROWS)
    opened = layout_at(cassette).read()
    replayer = Replayer(opened)
    times = {file: (file.stat().st_atime_ns, file.stat().st_mtime_ns, file.read_bytes()) for file in _files(cassette)}

    _zeroed(cassette)
    first = _outcome(replayer, "hi")
    for file, (accessed, changed, content) in times.items():
        file.write_bytes(content)
        os.utime(file, ns=(accessed, changed))
    second = _outcome(replayer, "hi")
    opened.close()

    assert (first, second) == ("refused", "0")


@every_layout
def test_a_file_that_cannot_be_read_any_more_is_a_typed_error(
    name: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Disks fail, and servers of files go away."""
    cassette = path.with_name(name)
    where, *_ = laid_out(cassette, *_ROWS)
    opened = layout_at(cassette).read()

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(os, "pread", fail)
        with pytest.raises(CassetteError, match="Input/output error") as caught:
            Replayer(opened).take(call_of("hi"), key_of(call_of("hi")))
        found = intercept.validate(cassette)
    opened.close()

    assert caught.value.where == where
    # Lines are read another way when a file is opened; a folder cannot even be.
    assert ["Input/output error" in str(error) for error in found] == [True] * (3 if cassette.suffix else 1)
