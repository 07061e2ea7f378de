"""Ways to the provider that go past `send`: refused in replay, told of while recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import Canary

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _overriding(caller: Caller, *, asks_base: bool) -> Any:
    """Make an HTTP client with a `send` of its own."""
    module: Any = openai if caller.sdk == "openai" else anthropic
    base: Any = module.DefaultAsyncHttpxClient if caller.is_async else module.DefaultHttpxClient

    class Client(base):  # type: ignore[misc]
        _transport_for_url: Any

        def send(self, request: Any, **options: Any) -> Any:
            if asks_base:
                return base.send(self, request, **options)
            return self._past(request)

        def _past(self, request: Any) -> Any:
            transport = self._transport_for_url(request.url)
            if not caller.is_async:
                response = transport.handle_request(request)
                response.request = request
                response.read()
                return response
            return self._apast(transport, request)

        async def _apast(self, transport: Any, request: Any) -> Any:
            response = await transport.handle_async_request(request)
            response.request = request
            await response.aread()
            return response

    return Client()


async def _scenario(client: Any) -> str:
    return said(await ask(client))


@every_caller
def test_a_send_that_does_not_call_its_base_is_refused_in_replay(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Not a byte leaves, and the session fails even if the application swallows it; while recording it is told."""
    clients = [
        caller.client(provider.url, http_client=_overriding(caller, asks_base=False)),
        caller.client(provider.url),
    ]
    told = pytest.warns(intercept.InterceptWarning, match="is not covered: it went live")
    with told, intercept.use_cassette(cassette, mode="record"):
        live = [caller.run(_scenario, client) for client in clients]

    async def swallowing(client: Any) -> None:
        try:
            await _scenario(client)
        except Exception:  # noqa: BLE001  what such applications do
            return

    with pytest.raises(intercept.NotVerified) as failed, intercept.use_cassette(cassette):
        caller.run(swallowing, caller.client(canary.url, http_client=_overriding(caller, asks_base=False)))
    (miss,) = failed.value.misses
    assert len(live) == 2
    assert isinstance(miss, intercept.NotCovered)


@every_caller
def test_a_send_that_calls_its_base_is_answered(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Subclasses are common: of a gateway, for a log."""
    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(_scenario, caller.client(provider.url, http_client=_overriding(caller, asks_base=True)))

    with intercept.use_cassette(cassette):
        replayed = caller.run(_scenario, caller.client(canary.url, http_client=_overriding(caller, asks_base=True)))

    assert replayed == recorded


class _Foreign:
    """An HTTP client of a library that nobody knows."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@every_caller
def test_an_http_client_of_an_unknown_library_is_refused_in_replay(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Before it is asked for anything."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(_scenario, caller.client(provider.url))

    async def foreign(client: Any) -> str:
        inner, client._client = client._client, _Foreign(client._client)
        try:
            return await _scenario(client)
        finally:
            client._client = inner

    with pytest.raises(intercept.NotCovered, match="an HTTP client of tests"), intercept.use_cassette(cassette):
        caller.run(foreign, caller.client(canary.url))
