"""Credentials in headers of any name, case and kind: not stored, and hidden where the answer quotes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.answering import saying
from tests.conformance.callers import CALLERS, Caller, said, settled
from tests.conformance.ways import question, resource

_NAMES = ("x-internal-token", "X-GOOG-API-KEY", "Proxy-Authorization", "cookie", "Helicone-Auth", "x-Team-Secret")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("kind", ["text", "bytes", "repeated"])
def test_no_header_is_stored_and_its_value_is_hidden_in_the_answer(
    caller: Caller, kind: str, provider: Provider, cassette: Path
) -> None:
    """Added to the request as text, as bytes, or twice, by a hook of the HTTP client, as gateways have it."""
    markers = {name: f"marker{number}" + "5ecr3t" * 4 for number, name in enumerate(_NAMES)}
    provider.answer(saying(caller, "you sent " + ", ".join(markers.values())))

    def headed(request: Any) -> None:
        pairs = [(name.encode(), value.encode()) for name, value in markers.items()]
        if kind == "repeated":
            pairs += [(name.lower(), value) for name, value in pairs]
        more = pairs if kind != "text" else [(name.decode(), value.decode()) for name, value in pairs]
        request.headers = type(request.headers)([*request.headers.raw, *more])

    async def async_headed(request: Any) -> None:
        headed(request)

    async def scenario(client: Any) -> str:
        client._client.event_hooks = {"request": [async_headed if caller.is_async else headed]}
        return said(await settled(resource(client).create(**question(client))))

    with intercept.use_cassette(cassette, mode="record"):
        answer = caller.run(scenario, caller.client(provider.url))

    stored = cassette.read_text()
    assert answer.count("5ecr3t" * 4) == len(_NAMES)
    assert "5ecr3t" not in stored
    assert [name for name in _NAMES if name.lower() in stored.lower()] == []
