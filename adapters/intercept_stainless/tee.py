"""Recording a response as it passes: the application gets every chunk when it comes, we keep a copy."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from intercept.spi import End, Halt, Hop, InterceptError, Recording, Reply, Session
from intercept_stainless.encodings import LIMIT, MOST, TooLong, decoded, encodings_of, unknown
from intercept_stainless.http_library import of_library
from intercept_stainless.identity import let_out

_ENCODING: Final = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})


_TOO_LONG: Final = (
    f"its answer has more than {LIMIT // 1024 // 1024} MiB once it is decoded, which is more than can be stored; ask "
    "for less, or leave this call to a session of its own in mode `off`"
)


def refusal(library: Any, encodings: list[str], session: Session) -> str:
    """Say why a body with these encodings cannot be stored; empty if it can."""
    if len(encodings) > MOST:
        return f"its answer has {len(encodings)} encodings, one around the other; more than {MOST} are not undone"
    strange = [name for name in unknown(library, encodings) if name not in session.allowed_encodings]
    if not strange:
        return ""
    names = ", ".join(encodings)
    return (
        f'its answer is encoded as "{names:.60}", which {library.__name__} does not decode, so nobody can look for '
        f"secrets in it; install the package for it, or store it as it is:  allow_encoding={strange}"
    )


class Intake:
    """What has been received of one response. It holds no response, so that a dropped one is collected and noticed."""

    def __init__(self, library: Any, response: Any, reply: Reply, recording: Recording, session: Session) -> None:
        self.ended = False
        self._untrack = session.track(self.drop)
        self.chunks: list[bytes] = []
        self._library = library
        self._reply = reply
        self._encodings = encodings_of(response.headers)
        self._refusal = refusal(library, self._encodings, session)
        self._recording = recording

    def end(self, end: End, failure: str | None = None) -> None:
        """Settle the recording; the first of several endings counts."""
        if self.ended:
            return
        self.ended = True
        self._untrack()
        chunks: Iterable[bytes] = _given_away(self.chunks)
        try:
            if self._refusal:
                self._recording.refuse(self._refusal)
                return
            if self._encodings and not unknown(self._library, self._encodings):
                chunks, fault = decoded(self._library, self._encodings, list(chunks), whole=end == "complete")
                if fault is not None and failure is None:
                    end, failure = "truncated", failure_of(self._library, fault)
            self._recording.finish(replace(self._reply, chunks=chunks, end=end, failure=failure))
        except TooLong:
            self._recording.refuse(_TOO_LONG)
        except InterceptError as error:
            raise let_out(error) from None

    def drop(self) -> None:
        """End where nobody reads any more, so that nobody could be told."""
        with contextlib.suppress(InterceptError, Halt):
            self.end("closed")

    def fail(self, error: BaseException) -> None:
        """End with the exception that broke off reading: the provider's, or the caller's own cancellation."""
        if isinstance(error, Exception):
            self.end("truncated", failure_of(self._library, error))
        else:
            self.end("closed")


def _given_away(chunks: list[bytes]) -> Iterator[bytes]:
    """Give every chunk once and let go of it: what is made of a long body need not be held beside it.

    A thread that still reads may add more meanwhile: those come too late.
    """
    left = chunks[::-1]
    chunks.clear()
    while left:
        yield left.pop()


def failure_of(library: Any, error: Exception) -> str | None:
    """Describe an exception of the HTTP library, so that it can be raised again; None for any other."""
    name = type(error).__name__
    if isinstance(error, library.RequestError) and hasattr(library, name):
        return f"{name}: {error}"
    return None


def hops_of(library: Any, response: Any) -> tuple[Hop, ...]:
    """Return the redirects that were followed to this response; what an authentication flow met is no hop."""
    return tuple(
        Hop(hop.status_code, headers_of(library, hop)) for hop in response.history if hop.has_redirect_location
    )


def headers_of(library: Any, response: Any) -> tuple[tuple[str, str], ...]:
    """Return a response's headers as pairs, with their case and their duplicates.

    What tells of the encoding on the wire is left out where bodies are kept decoded. So is a `location` that leads
    nowhere.
    """
    left_out = set(_ENCODING if response.is_redirect else _ENCODING | {b"location"})
    if unknown(library, encodings_of(response.headers)):
        left_out.remove(b"content-encoding")  # the body is kept as it came
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in response.headers.raw
        if name.lower() not in left_out
    )


def tee(library: Any, response: Any, recording: Recording, session: Session) -> None:
    """Record a response: at once if its body is here already, else while the application reads it."""
    reply = at_hand(library, response)
    if reply.end == "complete":
        keep(library, response, reply, recording, session)
        return
    is_async = isinstance(response.stream, library.AsyncByteStream)
    mixin, base = (_AsyncTee, "AsyncByteStream") if is_async else (_SyncTee, "SyncByteStream")
    intake = Intake(library, response, reply, recording, session)
    response.stream = of_library(mixin, library, base)(response.stream, intake)
    weakref.finalize(response.stream, intake.drop)


def keep(library: Any, response: Any, reply: Reply, recording: Recording, session: Session) -> None:
    """Record a reply whose body was read, and so decoded, before it came to us."""
    encodings = encodings_of(response.headers)
    if reason := refusal(library, encodings, session):
        recording.refuse(reason)
    elif encodings and sum(map(len, reply.chunks)) > LIMIT:
        recording.refuse(_TOO_LONG)
    else:
        recording.finish(reply)


def at_hand(library: Any, response: Any) -> Reply:
    """Return the reply as far as it is here: complete with its body, or none of that read yet."""
    reply = Reply(response.status_code, headers_of(library, response), (), "closed", hops=hops_of(library, response))
    try:
        return replace(reply, chunks=(response.content,), end="complete")
    except library.ResponseNotRead:
        return reply


class _Tee:
    """A response's stream with an ear on it. What else the library asks of its own stream, the inner one answers."""

    def __init__(self, inner: Any, intake: Intake) -> None:
        self.inner = inner
        self.intake = intake

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class _SyncTee(_Tee):
    def __iter__(self) -> Iterator[bytes]:
        intake = self.intake
        try:
            for chunk in self.inner:
                if not intake.ended:  # it is read on after the end of its session
                    intake.chunks.append(chunk)
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
        intake = self.intake
        try:
            async for chunk in self.inner:
                if not intake.ended:
                    intake.chunks.append(chunk)
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
