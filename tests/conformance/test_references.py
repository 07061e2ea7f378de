"""Whatever was taken hold of before a session works inside it, and nothing kept from a session acts after it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import openai
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said, settled
from tests.conformance.outcomes import seen
from tests.conftest import Canary

MESSAGES = [{"role": "user", "content": "hi"}]


def _method(client: Any) -> Any:
    """Return the bound method that asks the plain question."""
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return functools.partial(client.chat.completions.create, model="gpt-4o", messages=MESSAGES)
    return functools.partial(client.messages.create, model="claude-test", max_tokens=64, messages=MESSAGES)


def _raw_view(client: Any) -> Any:
    """Return a raw view that the SDK caches on its resource."""
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return functools.partial(client.chat.completions.with_raw_response.create, model="gpt-4o", messages=MESSAGES)
    return functools.partial(
        client.messages.with_raw_response.create, model="claude-test", max_tokens=64, messages=MESSAGES
    )


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("taken", [_method, _raw_view])
def test_what_was_taken_before_activation_is_replayed(
    caller: Caller, taken: Any, provider: Provider, cassette: Path
) -> None:
    """A client, a bound method and a cached raw view from before the session: recorded, replayed, then live again."""
    client = caller.client(provider.url)
    method = taken(client)

    async def scenario(_client: Any) -> list[Any]:
        async def once() -> Any:
            result = await settled(method())
            return await settled(result.parse()) if hasattr(result, "parse") else result

        with intercept.use_cassette(cassette, mode="record"):
            recorded = await once()
        with intercept.use_cassette(cassette):
            replayed = await once()
        hits = provider.hits
        after = await once()
        return [recorded, replayed, hits, after]

    recorded, replayed, hits, after = caller.run(scenario, client)

    assert seen(replayed) == seen(recorded)
    assert hits == 1
    assert provider.hits == 2
    assert said(after) == "Reply 2 to: hi"


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_what_was_taken_during_a_session_is_inert_after_it(caller: Caller, provider: Provider, cassette: Path) -> None:
    """A client and a bound method made inside a replay go to the provider once the session is over."""

    async def scenario(client: Any) -> Any:
        with intercept.use_cassette(cassette, mode="record"):
            await ask(client)
        with intercept.use_cassette(cassette):
            copy = client.with_options(timeout=3)
            method = _method(copy)
            await settled(method())
        return await settled(method())

    after = caller.run(scenario, caller.client(provider.url))

    assert said(after) == "Reply 2 to: hi"
    assert provider.hits == 2


def test_the_module_level_client_is_recorded_and_replayed(
    provider: Provider, canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`openai.chat...` without a client of one's own, and without a key in replay; both sessions leave no trace."""
    monkeypatch.setattr(openai, "_client", None)
    monkeypatch.setattr(openai, "api_key", KEY)
    monkeypatch.setattr(openai, "base_url", provider.url + "/v1/")
    with intercept.use_cassette(cassette, mode="record"):
        recorded = openai.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "hi"}])
    monkeypatch.setattr(openai, "_client", None)
    monkeypatch.setattr(openai, "api_key", None)
    monkeypatch.setattr(openai, "base_url", canary.url + "/v1/")

    with intercept.use_cassette(cassette):
        replayed = openai.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "hi"}])

    assert seen(replayed) == seen(recorded)
    assert provider.hits == 1
    assert openai.api_key is None
    with pytest.raises((openai.OpenAIError, TypeError)):
        openai.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "hi"}])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_subclass_of_the_client_is_recorded_and_replayed(caller: Caller, provider: Provider, cassette: Path) -> None:
    """An application's own client class is a client like any other."""
    mine: Any = type("Mine", (caller.client(provider.url).__class__,), {})
    client = mine(base_url=caller.base_url(provider.url), api_key=KEY)
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(ask, client)
    assert session.calls[0].call.provider == caller.sdk

    with intercept.use_cassette(cassette):
        replayed = caller.run(ask, mine(base_url=caller.base_url(provider.url), api_key=KEY))

    assert seen(replayed) == seen(recorded)
    assert provider.hits == 1
