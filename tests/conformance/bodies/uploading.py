"""Files in every form that the SDKs take, and the uploads that carry them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import openai

from intercept.loopback import Received
from tests.conformance.callers import settled

CONTENT: Final = b"one\r\ntwo\x00\xff--three\n" * 3


class OneShot(io.RawIOBase):
    """A file that can be read once, and tells neither its length nor its place: a pipe, a download."""

    def __init__(self, content: bytes = CONTENT) -> None:
        super().__init__()
        self._inner = io.BytesIO(content)

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on."""
        return self._inner.readinto(buffer)


FORMS: Final[dict[str, Callable[[Path], Any]]] = {
    "bytes": lambda _: CONTENT,
    "open file": lambda path: path.open("rb"),
    "unbuffered file": lambda path: path.open("rb", buffering=0),
    "file read in part": lambda path: _read_in_part(path.open("rb")),
    "BytesIO": lambda _: io.BytesIO(CONTENT),
    "one-shot": lambda _: OneShot(),
    "Path": lambda path: path,
    "(name, bytes)": lambda _: ("a.txt", CONTENT),
    "(None, bytes)": lambda _: (None, CONTENT),
    "(name, file, type)": lambda path: ('a \u00e9 "b".bin', path.open("rb"), "application/x-mine"),
    "(name, Path)": lambda path: ("b.jsonl", path),
    "(name, one-shot, type, headers)": lambda _: ("c.bin", OneShot(), "text/plain", {"X-Part": "1"}),
    "(name, text)": lambda _: ("d.txt", "caf\u00e9"),
    "(name, nothing)": lambda _: ("e.txt", b""),
    "text": lambda _: "no file",
    "iterator": lambda _: iter([CONTENT]),
}


def _read_in_part(file: Any) -> Any:
    file.read(5)
    return file


async def upload(client: Any, file: Any) -> Any:
    """Upload one file."""
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return await settled(client.files.create(file=file, purpose="assistants"))
    return await settled(client.beta.files.upload(file=file))


def left(file: Any) -> Any:
    """Tell in which state an upload left a file that was given, and close it."""
    if isinstance(file, (tuple, list)):
        return [left(part) for part in cast("list[Any]", file)]
    if not isinstance(file, io.IOBase):
        return None
    if file.closed:
        return "closed"
    with file:
        return file.tell() if file.seekable() else file.read()


def body(received: Received) -> bytes:
    """Return the body that arrived, free of its random boundary, which must be the one its header names."""
    boundary = re.fullmatch(r"multipart/form-data; boundary=(\S+)", received.header("content-type") or "")
    assert boundary
    return received.body.replace(boundary[1].encode(), b"BOUNDARY")


def framing(received: Received) -> tuple[str | None, str | None]:
    """Tell how the length of a body was announced."""
    return received.header("content-length"), received.header("transfer-encoding")
