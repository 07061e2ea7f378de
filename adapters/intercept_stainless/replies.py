"""Answering a request from a `Reply`: a throw-away client of the same HTTP library over a transport that holds it.

Going through the library's own `send` keeps what belongs to it: event hooks, cookies, its log line, `elapsed`, and how
a stream behaves. The user's authentication flow is left out: it could ask for tokens.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Generator, Iterator
from http import HTTPStatus
from typing import Any, Final

from intercept.spi import ConfigError, Reply
from intercept_stainless.http_library import of_library

_PHRASES: Final = {status.value: status.phrase.encode() for status in HTTPStatus}


def stand_in(library: Any, client: Any, reply: Reply) -> Any:
    """Make a client like the user's (an asynchronous one for an asynchronous one) that can only give this reply."""
    is_async = isinstance(client, library.AsyncClient)
    kind, base = (library.AsyncClient, "AsyncBaseTransport") if is_async else (library.Client, "BaseTransport")
    other = kind(
        transport=of_library(_Transport, library, base)(reply, library),
        event_hooks=client.event_hooks,
        timeout=client.timeout,
        follow_redirects=client.follow_redirects,
        max_redirects=client.max_redirects,
        default_encoding=client._default_encoding,  # noqa: SLF001  no public reader
        trust_env=False,
    )
    other._cookies = client.cookies  # noqa: SLF001  the setter would copy, and lose what the reply sets
    return other


class _Transport:
    """Gives the one reply; before it the redirects that led to it, which the library follows as it did."""

    def __init__(self, reply: Reply, library: Any) -> None:
        self.replies = [*(Reply(hop.status, hop.headers, ()) for hop in reply.hops), reply]
        self.http_library = library

    def handle_request(self, request: Any) -> Any:
        return self.response(request, _Body, "SyncByteStream")

    async def handle_async_request(self, request: Any) -> Any:
        return self.response(request, _AsyncBody, "AsyncByteStream")

    def response(self, request: Any, mixin: type[Any], base: str) -> Any:
        reply = self.replies[0] if len(self.replies) == 1 else self.replies.pop(0)
        if reply.status is None:
            _fail(self.http_library, reply, request)
            raise ConfigError("This row tells neither an answer nor a failure, so it cannot be replayed.")
        return self.http_library.Response(
            reply.status,
            # As bytes: they were read as Latin-1, and httpx2 would write text as ASCII.
            headers=[(name.encode("ascii"), value.encode("latin-1")) for name, value in reply.headers],
            stream=of_library(mixin, self.http_library, base)(self.http_library, reply, request),
            request=request,
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": _PHRASES.get(reply.status, b"")},
        )


def _fail(library: Any, reply: Reply, request: Any) -> None:
    """End as it ended when it was recorded: by the library's own exception, if by any."""
    if reply.failure is None:
        return
    name, _, message = reply.failure.partition(": ")
    kind = getattr(library, name, None)
    if not (isinstance(kind, type) and issubclass(kind, library.RequestError)):
        raise ConfigError(f'failure: "{name}" is no fault of {library.__name__}, so it cannot be replayed')
    raise kind(message, request=request)


class _Body:
    def __init__(self, library: Any, reply: Reply, request: Any) -> None:
        self.http_library, self.reply, self.request = library, reply, request

    def __iter__(self) -> Iterator[bytes]:
        yield from self.reply.chunks
        _fail(self.http_library, self.reply, self.request)


class _AsyncBody:
    def __init__(self, library: Any, reply: Reply, request: Any) -> None:
        self.http_library, self.reply, self.request = library, reply, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        await _checkpoint()
        for chunk in self.reply.chunks:
            yield chunk
            await _checkpoint()  # before the next is asked for: there may be none, and asking for it would be a miss
        _fail(self.http_library, self.reply, self.request)


class _Yield:
    """One turn of the event loop, at a fraction of what `asyncio.sleep(0)` costs."""

    def __await__(self) -> Generator[None, None, None]:
        yield


async def _checkpoint() -> None:
    """Let other tasks run, and a cancellation in, between two events."""
    asyncio = sys.modules.get("asyncio")
    loop = None if asyncio is None else asyncio._get_running_loop()  # noqa: SLF001  does not raise without one
    # Where trio runs as a guest of asyncio's loop, no task of asyncio's is current.
    if asyncio is not None and loop is not None and asyncio.current_task(loop) is not None:
        await _Yield()
    else:
        import anyio.lowlevel

        await anyio.lowlevel.checkpoint()
