"""What is no cassette, or no file: refused by an error that names the place, and not a byte changed."""

from __future__ import annotations

import gzip
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import intercept
from tests.core.handmade import header, three_rows
from tests.core.json_values import nested_text
from tests.core.opening import ROW, every_mode, opened, refused

_NO_CASSETTE: dict[str, bytes] = {
    "YAML": b"interactions:\n- request:\n    method: POST\n",
    "Python": b'"""A module."""\n\nimport os\n',
    "prose": b"intercept-cassette\n",
    "JSON of something else": b'{"name":"project","version":"1.0.0"}\n',
    "JSON lines of something else": b'{"prompt":"a"}\n{"prompt":"b"}\n',
    "an indented JSON object": json.dumps(json.loads(header()), indent=2).encode(),
    "a JSON array": b"[" + header().strip() + b"]\n",
    "null": b"null\n",
    "a number": b"1\n",
    "a cassette of another tool": b'{"v":1,"kind":"rulvar-vcr","hashVersion":1}\n',
    "rows without a header": ROW,
    "a header that was cut off": header()[:30],
    "a header that was cut off, and rows": header()[:30] + b"\n" + ROW,
    "two values in the first line": header().strip() + header(),
    "NUL bytes": bytes(4096),
    "NUL bytes and lines": bytes(4095) + b"\n" + ROW,
    "invalid UTF-8": b'{"kind":"\xff","v":1,"hash_version":1}\n',
    "UTF-16": header().decode().encode("utf-16"),
    "gzip": gzip.compress(three_rows(), mtime=0),
    "100,000 brackets": nested_text(100_000),
    "an integer of 5,000 digits": b'{"kind":"intercept-cassette","v":' + b"1" * 5_000 + b',"hash_version":1}\n',
}


@every_mode
@pytest.mark.parametrize("content", _NO_CASSETTE.values(), ids=_NO_CASSETTE.keys())
def test_a_file_that_is_no_cassette_is_refused_and_stays(content: bytes, mode: str, path: Path) -> None:
    """A typing error in a path must not cost anybody a file."""
    path.write_bytes(content)

    assert refused(path, mode).where == f"{path}:1"


@pytest.fixture
def odd_file(request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Something at the path that is no ordinary file, or cannot be read."""
    if request.param == "socket":
        monkeypatch.chdir(path.parent)  # an address may have a hundred bytes
        with closing(socket.socket(socket.AF_UNIX)) as server:
            server.bind(path.name)
            yield path
    else:
        _make(request.param, path)
        yield path


def _make(kind: str, path: Path) -> None:
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "dangling link":
        path.symlink_to(path.with_name("nowhere"))
    elif kind == "link to itself":
        path.symlink_to(path)
    elif kind == "forbidden file":
        if os.geteuid() == 0:
            pytest.skip("root may read every file; 'file that fails' stands in for it")
        path.write_bytes(three_rows())
        path.chmod(0)
    elif kind == "file that fails":
        if not Path("/proc/self/mem").exists():
            pytest.skip("needs Linux: /proc/self/mem is a regular file whose first byte nobody can read")
        path.symlink_to("/proc/self/mem")


@pytest.mark.skipif(sys.platform == "win32", reason="such files are made the POSIX way")
@every_mode
@pytest.mark.parametrize(
    "odd_file",
    ["FIFO", "socket", "device", "dangling link", "link to itself", "forbidden file", "file that fails"],
    indirect=True,
)
def test_what_is_no_readable_file_is_refused(odd_file: Path, mode: str) -> None:
    """At once: a FIFO would make us wait, and /dev/zero has no end. What is there stays what it is."""
    before = odd_file.lstat()

    with pytest.raises(intercept.CassetteError) as caught:
        opened(odd_file, mode)

    assert caught.value.where == str(odd_file)
    after = odd_file.lstat()
    assert (after.st_mode, after.st_ino, after.st_size) == (before.st_mode, before.st_ino, before.st_size)


@pytest.mark.timeout(20)
@every_mode
def test_dev_zero_itself_is_refused(mode: str) -> None:
    """By its own name."""
    if not Path("/dev/zero").exists():
        pytest.skip("there is none")

    with pytest.raises(intercept.CassetteError, match="/dev/zero"):
        opened(Path("/dev/zero"), mode)
