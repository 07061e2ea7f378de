"""Answering a request from a `Reply`: a throw-away client of the same HTTP library over a transport that holds it.

Going through the library's own `send` keeps what belongs to it: event hooks, cookies, its log line, `elapsed`, and how
a stream behaves. The user's authentication flow is left out: it could ask for tokens.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final

from intercept.spi import ConfigError, Reply
from intercept_stainless.library import of_library

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
        self.reply = reply
        self.library = library
        self.hops = list(reply.hops)

    def handle_request(self, request: Any) -> Any:
        return self.response(request, _Body, "SyncByteStream")

    async def handle_async_request(self, request: Any) -> Any:
        return self.response(request, _AsyncBody, "AsyncByteStream")

    def response(self, request: Any, mixin: type[Any], base: str) -> Any:
        stream = of_library(mixin, self.library, base)
        if self.hops:
            hop = self.hops.pop(0)
            return self.made(request, hop.status, hop.headers, stream(_Nothing(), request))
        if self.reply.status is None:
            self.fail(request)
            raise ConfigError("This row tells neither an answer nor a failure, so it cannot be replayed.")
        return self.made(request, self.reply.status, self.reply.headers, stream(self, request))

    def made(self, request: Any, status: int, headers: tuple[tuple[str, str], ...], stream: Any) -> Any:
        return self.library.Response(
            status,
            # As bytes: `pairs` read them as Latin-1, and httpx2 would write text as ASCII.
            headers=[(name.encode("ascii"), value.encode("latin-1")) for name, value in headers],
            stream=stream,
            request=request,
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": _PHRASES.get(status, b"")},
        )

    @property
    def chunks(self) -> Iterable[bytes]:
        return self.reply.chunks

    def fail(self, request: Any) -> None:
        """End as it ended when it was recorded: by the library's own exception, if by any."""
        if self.reply.failure is None:
            return
        name, _, message = self.reply.failure.partition(": ")
        kind = getattr(self.library, name, None)
        if not (isinstance(kind, type) and issubclass(kind, self.library.RequestError)):
            raise ConfigError(f'failure: "{name}" is no fault of {self.library.__name__}, so it cannot be replayed')
        raise kind(message, request=request)


class _Nothing:
    """The body of a redirect: empty, and not a failure."""

    chunks: Iterable[bytes] = ()

    def fail(self, request: Any) -> None:
        pass


class _Body:
    def __init__(self, source: _Transport | _Nothing, request: Any) -> None:
        self.source, self.request = source, request

    def __iter__(self) -> Iterator[bytes]:
        yield from self.source.chunks
        self.source.fail(self.request)


class _AsyncBody:
    def __init__(self, source: _Transport | _Nothing, request: Any) -> None:
        self.source, self.request = source, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        await _checkpoint()
        for chunk in self.source.chunks:
            yield chunk
            await _checkpoint()  # before the next is asked for: there may be none, and asking for it would be a miss
        self.source.fail(self.request)


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
