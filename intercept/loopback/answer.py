"""What the provider sends back: an exact status, headers and body, with faults on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from intercept.loopback.anthropic import errors as anthropic_errors
from intercept.loopback.jsontypes import compact
from intercept.loopback.openai import errors as openai_errors
from intercept.loopback.sse import frame

if TYPE_CHECKING:
    from collections.abc import Iterable

Headers = tuple[tuple[str, str], ...]

_BODILESS = (204, 304)


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, byte for byte.

    ``body``: a dict or list goes as JSON, a str as UTF-8 text, bytes as they are (then no content type is made up).
    ``chunks``: written one by one with chunked encoding, instead of ``body``.
    ``cut_after``: the connection drops after that many chunks (or bytes of ``body``) without ending the body;
    0 drops it after the head, -1 before it.
    ``delay``: seconds before the head is sent.
    """

    status: int = 200
    body: bytes | str | dict[str, Any] | list[Any] = b""
    headers: Headers = ()
    content_type: str | None = None
    chunks: tuple[bytes, ...] | None = None
    cut_after: int | None = None
    delay: float = 0.0

    def payload(self) -> bytes:
        """Return the bytes of ``body``."""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else compact(self.body)).encode()

    def head(self) -> list[tuple[bytes, bytes]]:
        """Return the headers on the wire: those given, then a content type and a length unless given."""
        given = {name.lower() for name, _ in self.headers}
        lines = list(self.headers)
        content_type = self.content_type or self._natural_type()
        if content_type is not None and "content-type" not in given:
            lines.append(("content-type", content_type))
        if self.chunks is None and "content-length" not in given and self.status not in _BODILESS:
            lines.append(("content-length", str(len(self.payload()))))
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in lines]

    def _natural_type(self) -> str | None:
        if self.chunks is not None or isinstance(self.body, bytes):
            return None
        return "text/plain; charset=utf-8" if isinstance(self.body, str) else "application/json"

    @classmethod
    def sse(cls, events: Iterable[tuple[str | None, object]], *, status: int = 200, headers: Headers = ()) -> Answer:
        """Return a stream of ``(event name or None, JSON-able or str data)`` pairs, one chunk each."""
        chunks = tuple(frame(name, data) for name, data in events)
        return cls(status=status, headers=headers, content_type="text/event-stream; charset=utf-8", chunks=chunks)

    @classmethod
    def openai_error(  # noqa: PLR0913 - the fields of the wire
        cls,
        status: int,
        *,
        message: str | None = None,
        code: str | None = None,
        type: str | None = None,  # noqa: A002 - the field's name on the wire
        retry_after: float | None = None,
        retry_after_ms: float | None = None,
        should_retry: bool | None = None,
        request_id: str = "req_" + "0" * 32,
    ) -> Answer:
        """OpenAI's error body; what is not given is what OpenAI sends with that status."""
        body = openai_errors.error(status, message=message, code=code, kind=type)
        hints = _retry_hints(retry_after, retry_after_ms, should_retry)
        return cls(status, body, (("x-request-id", request_id), *hints))

    @classmethod
    def anthropic_error(  # noqa: PLR0913 - the fields of the wire
        cls,
        status: int = 529,
        kind: str | None = None,
        *,
        message: str | None = None,
        retry_after: float | None = None,
        retry_after_ms: float | None = None,
        should_retry: bool | None = None,
        request_id: str = "req_011C" + "0" * 20,
    ) -> Answer:
        """Anthropic's error body; the kind not given is the one of that status, else ``overloaded_error``."""
        body = anthropic_errors.error(status, request_id=request_id, kind=kind, message=message)
        hints = _retry_hints(retry_after, retry_after_ms, should_retry)
        return cls(status, body, (("request-id", request_id), *hints))


def _retry_hints(after: float | None, after_ms: float | None, should: bool | None) -> Headers:  # noqa: FBT001
    """Return the headers both SDKs read before they retry (`_should_retry` in their `_base_client.py`)."""
    hints: list[tuple[str, str]] = []
    if after is not None:
        hints.append(("retry-after", f"{after:g}"))
    if after_ms is not None:
        hints.append(("retry-after-ms", f"{after_ms:g}"))
    if should is not None:
        hints.append(("x-should-retry", str(should).lower()))
    return tuple(hints)
