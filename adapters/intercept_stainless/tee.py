"""Recording a response as it passes: the application gets every chunk when it comes, we keep a copy."""

from __future__ import annotations

import weakref
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

from intercept.spi import End, Recording, Reply, Session
from intercept_stainless.library import of_library


class Intake:
    """What has been received of one response. It holds no response, so that a dropped one is collected and noticed."""

    def __init__(self, library: Any, response: Any, recording: Recording, session: Session) -> None:
        self._ended = False
        self._untrack = session.track(lambda: self.end("closed"))
        self.chunks: list[bytes] = []
        self._library = library
        self._status: int = response.status_code
        self._headers = pairs(response.headers)
        self._encoding: str = response.headers.get("content-encoding", "")
        self._recording = recording

    def end(self, end: End, failure: str | None = None) -> None:
        """Settle the recording; the first of several endings counts."""
        if self._ended:
            return
        self._ended = True
        self._untrack()
        body, decoded = self._decoded()
        headers = self._headers if decoded else (*self._headers, ("content-encoding", self._encoding))
        self._recording.finish(Reply(self._status, headers, (body,), end, failure))

    def fail(self, error: BaseException) -> None:
        """End with the exception that broke off reading: the provider's, or the caller's own cancellation."""
        if isinstance(error, Exception):
            name = type(error).__name__
            ours = isinstance(error, self._library.RequestError) and hasattr(self._library, name)
            self.end("truncated", name if ours else None)
        else:
            self.end("closed")

    def _decoded(self) -> tuple[bytes, bool]:
        raw = b"".join(self.chunks)
        if not self._encoding:
            return raw, True
        try:
            whole = self._library.Response(200, headers={"content-encoding": self._encoding}, content=raw)
            body: bytes = whole.content
        except self._library.DecodingError:
            return raw, False
        if self._encoding in ("gzip", "deflate") and not body and raw:
            body = zlib.decompressobj(wbits=47).decompress(raw)
        return body, True


def pairs(headers: Any) -> tuple[tuple[str, str], ...]:
    """Return an HTTP library's headers as pairs, with their case and their duplicates.

    What tells of the encoding on the wire is left out: bodies are kept decoded.
    """
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in headers.raw
        if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
    )


def tee(library: Any, response: Any, recording: Recording, session: Session) -> None:
    """Record a response: at once if its body is here already, else while the application reads it."""
    try:
        body = response.content
    except library.ResponseNotRead:
        is_async = isinstance(response.stream, library.AsyncByteStream)
        mixin, base = (_AsyncTee, "AsyncByteStream") if is_async else (_SyncTee, "SyncByteStream")
        intake = Intake(library, response, recording, session)
        response.stream = of_library(mixin, library, base)(response.stream, intake)
        weakref.finalize(response.stream, intake.end, "closed")
    else:
        recording.finish(Reply(response.status_code, pairs(response.headers), (body,)))


class _Tee:
    """A response's stream with an ear on it. What else the library asks of its own stream, the inner one answers."""

    def __init__(self, inner: Any, intake: Intake) -> None:
        self.inner = inner
        self.intake = intake

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class _SyncTee(_Tee):
    def __iter__(self) -> Iterator[bytes]:
        add = self.intake.chunks.append
        try:
            for chunk in self.inner:
                add(chunk)
                yield chunk
        except BaseException as error:
            self.intake.fail(error)
            raise
        self.intake.end("complete")

    def close(self) -> None:
        try:
            self.inner.close()
        finally:
            self.intake.end("closed")


class _AsyncTee(_Tee):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        add = self.intake.chunks.append
        try:
            async for chunk in self.inner:
                add(chunk)
                yield chunk
        except BaseException as error:
            self.intake.fail(error)
            raise
        self.intake.end("complete")

    async def aclose(self) -> None:
        try:
            await self.inner.aclose()
        finally:
            self.intake.end("closed")
