"""Credentials that a request gets on its way: by the HTTP client's own authentication, or by a hook."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.answering import saying
from tests.conformance.callers import CALLERS, Caller, ask, said

TOKEN = "late-" + "t0k3n" * 6


def _client(caller: Caller, url: str, way: str) -> Any:
    module: Any = openai if caller.sdk == "openai" else anthropic
    kind = module.DefaultAsyncHttpxClient if caller.is_async else module.DefaultHttpxClient
    if way == "auth":
        base = next(cls for cls in kind.__mro__ if cls.__module__.partition(".")[0] in ("httpx", "httpx2"))
        library: Any = __import__(base.__module__.partition(".")[0])

        class Late(library.Auth):  # type: ignore[misc]
            def auth_flow(self, request: Any) -> Generator[Any, Any, None]:
                request.headers["X-Late-Token"] = TOKEN
                yield request

        return caller.client(url, http_client=kind(auth=Late()))

    def hook(request: Any) -> None:
        request.headers["X-Late-Token"] = TOKEN

    async def async_hook(request: Any) -> None:
        hook(request)

    return caller.client(url, http_client=kind(event_hooks={"request": [async_hook if caller.is_async else hook]}))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", ["auth", "hook"])
def test_what_is_added_on_the_way_is_hidden_where_the_answer_quotes_it(
    caller: Caller, way: str, provider: Provider, cassette: Path
) -> None:
    """It is not in the request as it is recorded, but gateways quote what they were sent."""
    provider.answer(saying(caller, f"unknown token {TOKEN}"))

    async def scenario(client: Any) -> str:
        return said(await ask(client))

    with intercept.use_cassette(cassette, mode="record"):
        answer = caller.run(scenario, _client(caller, provider.url, way))

    assert answer == f"unknown token {TOKEN}"
    assert provider.requests[-1].header("x-late-token") == TOKEN
    assert "unknown token [REDACTED:credential:1]" in cassette.read_text()
    assert TOKEN not in cassette.read_text()
