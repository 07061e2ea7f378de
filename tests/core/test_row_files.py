"""A cassette that is a folder: what is amiss with one of its files is told by its name, and nothing is changed."""

from __future__ import annotations

import gzip
import json
import os
import socket
from contextlib import closing
from pathlib import Path

import pytest

import intercept
from tests.core.handmade import header, laid_out, row_file
from tests.core.json_values import nested_text
from tests.core.storing import extended, layout_at, opened, rows_of, written

_MODES = ["replay", "record", "update", "extend"]
_ROW = written("hi", "hello")
_FILE = json.dumps(json.loads(row_file(_ROW)), indent=2, ensure_ascii=False).encode() + b"\n"
_HASH = json.loads(_ROW)["request_hash"]


def _conflict(ours: bytes) -> bytes:
    theirs = ours.replace(b"hello", b"hallo")
    return b"<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> feature\n"


def _count(cassette: Path) -> int:
    return len(layout_at(cassette).read())


_EVENTS = b'    {\n      "text": "hello"\n    }\n'
_AMISS: dict[str, tuple[bytes, str]] = {
    "zero bytes": (b"", ""),
    "blanks": (b" \n", ""),
    "NUL bytes": (bytes(512), ""),
    "NUL bytes at the end": (_FILE + bytes(512), ""),
    "gzip": (gzip.compress(_FILE, mtime=0), "gzip"),
    "a merge conflict": (_FILE.replace(_EVENTS, _conflict(_EVENTS)), "merge"),
    "a merge conflict, CRLF": (_FILE.replace(_EVENTS, _conflict(_EVENTS)).replace(b"\n", b"\r\n"), "merge"),
    "a merge conflict of the whole": (_conflict(_FILE), "merge"),
    "two rows": (_FILE + _FILE, ""),
    "a cassette of lines": (header() + _ROW, ""),
    "a row without versions": (_ROW, "v"),
    "another version": (row_file(_ROW, v=2), "version 2"),
    "an older version": (row_file(_ROW, v=0), "version 0"),
    "another version of the hash": (row_file(_ROW, hash_version=2), "hash_version"),
    "a list": (b"[" + _FILE + b"]", ""),
    "another kind": (row_file(_ROW[:-2] + b',"kind":"note"}'), "kind"),
    "another request": (row_file(written("ho")), "request_hash"),
    "nesting of 100,000": (_FILE.replace(b'"caps": null', b'"mood": ' + nested_text(100_000)), ""),
    "invalid UTF-8": (_FILE.replace(b"openai", b"\xff"), ""),
    "a wrong field": (_FILE.replace(b'"status": 200', b'"status": "200"'), "status"),
}


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize(("content", "word"), _AMISS.values(), ids=_AMISS.keys())
def test_a_file_that_holds_no_row_is_refused(content: bytes, word: str, mode: str, tmp_path: Path) -> None:
    """In every mode, with what is wrong; the folder stays as it was."""
    cassette = tmp_path / "cassette"
    _, second = laid_out(cassette, written("good"), _ROW)
    Path(second).write_bytes(content)
    before = {file: file.read_bytes() for file in cassette.iterdir()}

    with pytest.raises(intercept.CassetteError) as caught, intercept.use_cassette(cassette, mode=mode):
        pass

    assert caught.value.where == second
    assert word in caught.value.reason
    assert {file: file.read_bytes() for file in cassette.iterdir()} == before
    assert [error.where for error in intercept.validate(cassette)] == [second]


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "row.json",
        f"{_HASH}.jsonl",
        f"{_HASH}.1.json",
        f"{_HASH}.02.json",
        f"{_HASH}.json.orig",
        f"{_HASH.upper()}.json",
        f"{_HASH[:-1]}.json",
        f"{_HASH}.json\n",
        f"{_HASH}.٢.json",
    ],
)
def test_a_file_of_another_name_is_refused(name: str, mode: str, tmp_path: Path) -> None:
    """Nobody knows whose it is, and a recording would have to keep or to remove it."""
    cassette = tmp_path / "cassette"
    laid_out(cassette, written("good"))
    (cassette / name).write_bytes(_FILE)

    with pytest.raises(intercept.CassetteError, match="move it") as caught, intercept.use_cassette(cassette, mode=mode):
        pass

    assert caught.value.where == str(cassette / name)
    assert len(list(cassette.iterdir())) == 2


@pytest.mark.parametrize("kind", ["folder", "FIFO", "socket", "device", "dangling link", "link to itself"])
def test_what_is_no_file_but_has_the_name_of_one_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once: nothing is waited for, and /dev/zero is not read."""
    cassette = tmp_path / "cassette"
    cassette.mkdir()
    file = cassette / f"{_HASH}.json"
    monkeypatch.chdir(cassette)  # the address of a socket may have a hundred bytes

    with closing(socket.socket(socket.AF_UNIX)) as server:
        if kind == "socket":
            server.bind(file.name)
        elif kind == "folder":
            file.mkdir()
        elif kind == "FIFO":
            os.mkfifo(file)
        else:
            file.symlink_to({"device": "/dev/zero", "dangling link": "nowhere"}.get(kind, file.name))
        found = intercept.validate(cassette)

    assert [error.where for error in found] == [str(file)]


@pytest.mark.parametrize(
    "content",
    [
        _FILE,
        _FILE.rstrip(),
        row_file(_ROW),
        b"\xef\xbb\xbf" + _FILE,
        b"\xef\xbb\xbf" + _FILE.replace(b"\n", b"\r\n"),
        _FILE.replace(b"\n", b"\r"),
        b"\n\n" + _FILE.replace(b"\n", b"\n\n") + b" \t\n",
    ],
    ids=["as written", "no newline", "one line", "BOM", "BOM and CRLF", "CR", "blank lines"],
)
def test_what_editors_and_git_do_to_a_file_is_read(content: bytes, tmp_path: Path) -> None:
    """A file may be laid out in any way that JSON allows."""
    cassette = tmp_path / "cassette"
    (file,) = laid_out(cassette, _ROW)
    Path(file).write_bytes(content)

    with opened(cassette) as (found, warned):
        assert (rows_of(found), warned) == ([json.loads(row_file(_ROW))], [])
    assert intercept.validate(cassette) == []
    extended(cassette, "hi")
    assert Path(file).read_bytes() == content
    assert _count(cassette) == 2


def test_files_with_a_dot_are_no_rows(tmp_path: Path) -> None:
    """Systems and recordings leave such files, whatever is in them."""
    cassette = tmp_path / "cassette"
    laid_out(cassette, _ROW)
    for name in (".DS_Store", ".partial.jsonl", f".{_HASH}.1.new", ".gitkeep"):
        (cassette / name).write_bytes(b"whatever")

    assert intercept.validate(cassette) == []
    assert _count(cassette) == 1
