"""Transports of an application's own, for either HTTP library and both ways."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anthropic
import openai

from tests.conformance.callers import Caller

Handler = Callable[[Any], Awaitable[Any]]


def library(caller: Caller) -> Any:
    """Return the HTTP library that the installed SDK uses."""
    sdk: Any = openai if caller.sdk == "openai" else anthropic
    kind = sdk.DefaultHttpxClient
    return __import__(next(cls.__module__.partition(".")[0] for cls in kind.__mro__ if cls.__name__ == "Client"))


async def read(request: Any) -> bytes:
    """Read a request's body by its stream, as a transport does."""
    chunks: list[bytes] = []
    if hasattr(request.stream, "__iter__"):
        chunks.extend(request.stream)
    else:
        chunks.extend([chunk async for chunk in request.stream])
    return b"".join(chunks)


def transport(caller: Caller, handler: Handler) -> Any:
    """Make a transport of a handler, which may await nothing but what is there."""
    lib = library(caller)

    def handle(_self: Any, request: Any) -> Any:
        try:
            handler(request).__await__().send(None)
        except StopIteration as done:
            return done.value
        raise AssertionError("a synchronous transport cannot wait")

    async def handle_async(_self: Any, request: Any) -> Any:
        return await handler(request)

    if caller.is_async:
        return type("Mine", (lib.AsyncBaseTransport,), {"handle_async_request": handle_async})()
    return type("Mine", (lib.BaseTransport,), {"handle_request": handle})()


def http_client(caller: Caller, handler: Handler, **options: Any) -> Any:
    """Make an HTTP client over a handler."""
    lib = library(caller)
    kind = lib.AsyncClient if caller.is_async else lib.Client
    return kind(transport=transport(caller, handler), follow_redirects=True, **options)
