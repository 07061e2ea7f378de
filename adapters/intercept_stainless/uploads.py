"""Upload bodies: what of them counts for identity, and how they pass by unread while recording."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from email.message import Message
from typing import Any, Final

from intercept.spi import JSON
from intercept_stainless.http_library import of_library

_NAMES: Final = re.compile(rb'\b(name|filename)="((?:\\.|[^"\\])*)"')
_CONTENT_TYPE: Final = re.compile(rb"(?im)^content-type:\s*([^\r\n]+)")


Digest = Callable[[bytes], "dict[str, JSON]"]
"""Describes what is not stored itself."""


def described_parts(content_type: str, content: bytes, digest: Digest) -> dict[str, JSON]:
    """Describe a multipart body by its parts, in order; the boundary, drawn at random, does not count.

    A field keeps its text; a file its name, content type, digest and size.
    """
    message = Message()
    message["content-type"] = content_type
    boundary = b"--" + str(message.get_param("boundary", "")).encode()
    return {"parts": [_part(raw, digest) for raw in content.split(boundary)[1:-1]]}


def _part(raw: bytes, digest: Digest) -> JSON:
    head, _, body = raw.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    body = body.removesuffix(b"\r\n")
    part: dict[str, JSON] = {key.decode(): value.decode("utf-8", "replace") for key, value in _NAMES.findall(head)}
    kind = _CONTENT_TYPE.search(head)
    if kind:
        part["content_type"] = kind[1].decode("ascii", "replace").strip()
    if kind or "filename" in part:
        return part | digest(body)
    return part | {"text": body.decode("utf-8", "replace")}


def unread(library: Any, request: Any) -> bool:
    """Whether the request's body is still to be drawn from its stream."""
    try:
        request.content  # noqa: B018  a property that raises
    except library.RequestNotRead:
        return True
    return False


def copied(library: Any, request: Any) -> Any:
    """Let the body pass to the transport unread; the returned stream has it in `chunks` once it has passed.

    Where a redirect has it sent again, it is what passed first: nothing is left then of a body that can be read once.
    """
    inner = request.stream
    bases = [base for base in ("SyncByteStream", "AsyncByteStream") if isinstance(inner, getattr(library, base))]
    mixin = _Copy if len(bases) > 1 else _SyncCopy if bases == ["SyncByteStream"] else _AsyncCopy
    request.stream = of_library(mixin, library, *bases)(inner)
    return request.stream


class _Passing:
    """A request's stream with an ear on it; a rewind, or whatever else is asked of it, reaches the inner one."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.chunks: list[bytes] = []
        self.passing: Any = None
        self.passed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @property
    def repeatable(self) -> bool:
        """Whether the body can be read any number of times: a form of texts, bytes and files that can be rewound."""
        fields = getattr(self.inner, "fields", None)
        return fields is not None and all(isinstance(file, (str, bytes)) or _seekable(file) for file in _files(fields))

    def whole(self) -> bytes | None:
        """Return the body, and leave files where they are; None if some of it did not pass and can be read only once.

        Whoever sends such a body again would find nothing left of it.
        """
        if not self.passed and not self.repeatable:
            return None
        if not self.passed:
            places = [(file, file.tell()) for file in _files(self.inner.fields) if not isinstance(file, (str, bytes))]
            self.chunks = list(self.inner)
            for file, place in places:
                file.seek(place)
        return b"".join(self.chunks)


def _files(fields: Any) -> list[Any]:
    return [field.file for field in fields if hasattr(field, "file")]


def _seekable(file: Any) -> bool:
    try:
        return bool(file.seekable())
    except (AttributeError, OSError, ValueError):
        return False


class _SyncCopy(_Passing):
    def __iter__(self) -> Iterator[bytes]:
        if self.passed:
            yield from self.inner
            return
        self.chunks = []
        self.passing = iter(self.inner)
        for chunk in self.passing:
            self.chunks.append(chunk)
            yield chunk
        self.passed = True

    def draw(self) -> None:
        """Let pass what a server that answered early left unread."""
        self.chunks += iter(self.inner) if self.passing is None else self.passing
        self.passed = True

    def close(self) -> None:
        self.inner.close()


class _AsyncCopy(_Passing):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self.passed:
            async for chunk in self.inner:
                yield chunk
            return
        self.chunks = []
        self.passing = aiter(self.inner)
        async for chunk in self.passing:
            self.chunks.append(chunk)
            yield chunk
        self.passed = True

    async def adraw(self) -> None:
        """Let the rest pass, likewise; a form may have been read the other way."""
        rest = aiter(self.inner) if self.passing is None else self.passing
        self.chunks += [chunk async for chunk in rest] if hasattr(rest, "__anext__") else rest
        self.passed = True

    async def aclose(self) -> None:
        await self.inner.aclose()


class _Copy(_SyncCopy, _AsyncCopy):
    """For a multipart body, which can be read either way."""
