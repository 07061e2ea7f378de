"""No key needed: in replay every client can be made and asked with an empty environment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said
from tests.conftest import Canary

AZURE: list[tuple[Any, Any]] = [(openai.AzureOpenAI, CALLERS[0]), (openai.AsyncAzureOpenAI, CALLERS[1])]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_client_made_with_nothing_at_all_is_answered(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`OpenAI()` and `Anthropic()`, as applications write them."""
    kinds: dict[str, Callable[[], Any]] = {
        "openai-sync": openai.OpenAI,
        "openai-async": openai.AsyncOpenAI,
        "anthropic-sync": anthropic.Anthropic,
        "anthropic-async": anthropic.AsyncAnthropic,
    }
    with intercept.use_cassette(cassette, mode="record"):
        recorded = said(caller.run(ask, caller.client(provider.url)))
    monkeypatch.setenv(f"{caller.sdk.upper()}_BASE_URL", caller.base_url(canary.url))

    with intercept.use_cassette(cassette):
        assert said(caller.run(ask, kinds[str(caller)]())) == recorded


@pytest.mark.parametrize(("kind", "caller"), AZURE, ids=["sync", "async"])
def test_an_azure_client_needs_its_endpoint_but_no_credentials(
    kind: Any, caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """A missing endpoint stays the SDK's own error; the deployment's path does not count, the provider does."""
    with intercept.use_cassette(cassette, mode="record") as session:
        client = kind(azure_endpoint=provider.url, api_version="2024-10-21", api_key=KEY)
        recorded = said(caller.run(ask, client))
    assert [(played.call.provider, played.call.path) for played in session.calls] == [
        ("azure-openai", "/chat/completions")
    ]

    with intercept.use_cassette(cassette):
        with pytest.raises(ValueError, match="azure_endpoint"):
            kind(api_version="2024-10-21")
        made = kind(azure_endpoint=canary.url, api_version="2024-10-21")
        again = made.with_options(timeout=3)
        assert said(caller.run(ask, made)) == recorded
    with pytest.raises(intercept.ConfigError, match="made without credentials inside a replay session"):
        caller.run(ask, again)


@pytest.mark.parametrize("caller", CALLERS[2:], ids=str)
def test_a_client_made_before_the_session_without_a_key_is_answered(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """As anthropic allows, which asks for credentials only at a call; openai asks when a client is made."""
    client = caller.client(canary.url, key=None)
    with intercept.use_cassette(cassette, mode="record"):
        recorded = said(caller.run(ask, caller.client(provider.url)))

    with intercept.use_cassette(cassette):
        assert said(caller.run(ask, client)) == recorded


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("mode", ["record", "off"])
def test_without_a_key_live_modes_fail_as_the_sdk_fails(
    caller: Caller, mode: str, provider: Provider, cassette: Path
) -> None:
    """No stand-in is ever used for a real call."""
    with (
        pytest.raises((openai.OpenAIError, TypeError), match=r"credentials|api_key|authentication"),
        intercept.use_cassette(cassette, mode=mode),
    ):
        caller.run(ask, caller.client(provider.url, key=None))

    assert provider.hits == 0


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_client_made_in_replay_never_sends_a_stand_in(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Used after its session it fails by the SDK's own words, or asks without any credentials."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))
    made: list[Any] = []
    with intercept.use_cassette(cassette):
        made.append(caller.client(provider.url, key=None, max_retries=0))
    provider.require_key = KEY

    with pytest.raises((openai.OpenAIError, anthropic.AnthropicError, TypeError)):
        caller.run(ask, made[0])

    for received in provider.requests[1:]:
        assert "no-key" not in str(received.headers)
        assert not received.header("authorization")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_key_of_the_users_own_is_left_alone(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Nothing is put in its place."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))

    with intercept.use_cassette(cassette):
        client = caller.client(provider.url, key=KEY)
        assert client.api_key == KEY
        caller.run(ask, client)


def test_the_azure_module_client_is_gone_after_its_replay(
    provider: Provider, canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made without credentials, it could answer nobody later; the next use makes one anew."""
    messages: Any = [{"role": "user", "content": "hi"}]
    for name, value in {"_client": None, "api_type": "azure", "api_version": "2024-10-21", "api_key": KEY}.items():
        monkeypatch.setattr(openai, name, value)
    monkeypatch.setattr(openai, "azure_endpoint", provider.url)
    with intercept.use_cassette(cassette, mode="record"):
        openai.chat.completions.create(model="m", messages=messages)
    for name, value in {"_client": None, "api_key": None, "azure_endpoint": canary.url}.items():
        monkeypatch.setattr(openai, name, value)

    with intercept.use_cassette(cassette) as session:
        openai.chat.completions.create(model="m", messages=messages)

    assert len(session.calls) == provider.hits == 1
    assert openai._client is None
