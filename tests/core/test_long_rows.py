"""Rows and lines past the limit: refused in bounded memory and time, however long they are."""

from __future__ import annotations

import os
import time
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

import intercept
from intercept.cassette import format as form
from intercept.cassette import rows
from intercept.errors import CassetteError
from tests.core.handmade import header, laid_out, row, row_file
from tests.core.storing import every_layout, extended, layout_at, opened, written

pytestmark = pytest.mark.slow

_LIMIT = 4_096


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows may be 4 KiB long."""
    monkeypatch.setattr(form, "LONGEST_ROW", _LIMIT)
    monkeypatch.setattr(rows, "LONGEST_ROW", _LIMIT)


def _of(size: int, write: Callable[[bytes], bytes]) -> bytes:
    """Return a row that takes this many bytes once it is written."""
    return row(events=[{"text": "a" * (size - len(write(row(events=[{"text": ""}])).rstrip(b"\n")))}])


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("size", [_LIMIT - 1, _LIMIT, _LIMIT + 1, _LIMIT + 2, _LIMIT + 3, 10 * _LIMIT])
def test_a_line_may_be_as_long_as_the_limit(size: int, ending: bytes, path: Path) -> None:
    """To the byte, whatever ends it; its length is told, where it is known."""
    text = _of(size, lambda row: row).rstrip(b"\n")
    path.write_bytes(header() + row(occurrence=1) + text + ending)
    assert len(text) == size

    if size <= _LIMIT:
        with opened(path) as (cassette, warned):
            assert (len(cassette), warned) == (2, [])
        return
    with pytest.raises(CassetteError, match=f"a row may have {_LIMIT} bytes") as caught:
        layout_at(path).read()

    assert caught.value.where == f"{path}:3"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("size", [_LIMIT - 1, _LIMIT, _LIMIT + 1, 10 * _LIMIT])
def test_a_file_of_a_row_may_be_as_long_as_the_limit(size: int, tmp_path: Path) -> None:
    """It is measured before it is read."""
    cassette = tmp_path / "cassette"
    (file,) = laid_out(cassette, _of(size, row_file))
    Path(file).write_bytes(Path(file).read_bytes().rstrip(b"\n"))
    assert Path(file).stat().st_size == size

    if size <= _LIMIT:
        assert len(layout_at(cassette).read()) == 1
        return
    with pytest.raises(CassetteError, match=f"a row may have {_LIMIT} bytes") as caught:
        layout_at(cassette).read()

    assert caught.value.where == file


@pytest.mark.usefixtures("short")
@every_layout
def test_a_row_that_no_reader_would_take_is_not_written(name: str, path: Path) -> None:
    """The cassette can be read afterwards, and added to."""
    cassette = path.with_name(name)
    laid_out(cassette, written("hi"))

    with pytest.raises(CassetteError, match="the row would have"):
        extended(cassette, "long", answer="a" * _LIMIT)
    extended(cassette, "hi")

    assert len(layout_at(cassette).read()) == 2
    assert intercept.validate(cassette) == []


@contextmanager
def _bounded(most: int, seconds: float) -> Generator[None]:
    """Fail if more memory is taken at once, or more time."""
    tracemalloc.start()
    began = time.perf_counter()
    try:
        yield
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken < most
    assert time.perf_counter() - began < seconds


def _sparse(file: Path, before: bytes, size: int) -> None:
    """Write a file whose rest are NUL bytes that take no place on the disk."""
    file.write_bytes(before)
    os.truncate(file, size)


@pytest.mark.parametrize(
    ("mode", "before"),
    [
        pytest.param("replay", header() + row(), id="replay a row"),
        *(
            pytest.param(mode, before, id=f"{mode} {name}", marks=pytest.mark.slow)
            for mode in ("replay", "extend")
            for name, before in (("nothing", b""), ("a header", header()), ("a row and more", header() + row()))
        ),
    ],
)
@pytest.mark.slow
def test_a_line_without_end_is_refused_in_bounded_memory(mode: str, before: bytes, path: Path) -> None:
    """No more of it is read than a row may have."""
    _sparse(path, before, 2**33)

    refused = pytest.raises(CassetteError, match="a row may have")
    with _bounded(2 * form.LONGEST_ROW + 2**24, 20), refused as caught, intercept.use_cassette(path, mode=mode):
        pass

    assert caught.value.where == f"{path}:{before.count(bytes([10])) + 1}"
    assert path.stat().st_size == 2**33


def test_a_row_of_a_file_without_end_is_refused_unread(tmp_path: Path) -> None:
    """Its size tells enough."""
    cassette = tmp_path / "cassette"
    (file,) = laid_out(cassette, row())
    _sparse(Path(file), row_file(row()), 2**33)

    with _bounded(2**24, 5):
        found = intercept.validate(cassette)

    assert [error.where for error in found] == [file]


@pytest.mark.slow
def test_nul_bytes_for_a_torn_row_take_bounded_memory(path: Path) -> None:
    """As a file system leaves them after a power loss: many, but fewer than a row may have."""
    _sparse(path, header() + row(), form.LONGEST_ROW - 2**20)

    with _bounded(4 * form.LONGEST_ROW, 20), opened(path) as (cassette, warned):
        assert len(cassette) == 1

    assert [text.partition(": ")[0] for text in warned] == [f"{path}:3"]
