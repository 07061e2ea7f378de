"""Hooks of `redact=` that fail: the application has its answer, the call no row, and the session says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said
from tests.conftest import Canary

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _raises(value: Any, _: str) -> Any:
    raise ValueError(f"no good: {value}")


def _returns(answer: Any) -> Any:
    def hook(_value: Any, _where: str) -> Any:
        return answer

    return hook


_FAULTS: dict[str, Any] = {
    "raises": (_raises, "raised ValueError"),
    "returns nothing": (_returns(None), "returned None"),
    "a set": (_returns({1, 2}), "returned set"),
    "a tuple": (_returns((1,)), "returned tuple"),
    "a number as a name": (_returns({1: 2}), "returned dict"),
    "not a number": (_returns({"a": float("nan")}), "returned dict"),
    "another kind": (_returns("text"), "returned str"),
}

every_fault = pytest.mark.parametrize(("fault", "told"), _FAULTS.values(), ids=_FAULTS)


def _only(part: str, fault: Any) -> Any:
    def hook(value: Any, where: str) -> Any:
        return fault(value, where) if where == part else value

    return hook


async def _scenario(client: Any) -> str:
    return said(await ask(client, f"mine is {KEY}"))


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
@every_fault
@pytest.mark.parametrize("part", ["request", "event", "header"])
def test_a_hook_that_fails_costs_the_row_and_not_the_answer(
    caller: Caller, part: str, fault: Any, told: str, *, provider: Provider, cassette: Path
) -> None:
    """The session fails at its end, and names the hook, the part and the call; nothing of either is in its text."""
    if (part, told) in (("event", "returned str"), ("header", "returned str")):
        pytest.skip("an event may become a text, and a header is one")

    answers: list[str] = []

    with pytest.raises(intercept.NotVerified) as failed:  # noqa: SIM117
        with intercept.use_cassette(cassette, mode="record", redact=_only(part, fault)):
            answers.append(caller.run(_scenario, caller.client(provider.url)))

    (failure,) = failed.value.failures
    assert KEY in answers[0]
    assert isinstance(failure, intercept.RedactionError)
    assert (failure.where, failure.fault.startswith(told)) == (part, True)
    assert failure.hook.endswith("_only.<locals>.hook")
    assert "POST" in failure.operation
    assert KEY not in str(failed.value)
    assert not cassette.exists()


@every_caller
def test_in_replay_a_hook_that_fails_is_an_error_at_the_call(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Without it nobody knows which request this is."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(_scenario, caller.client(provider.url))

    with pytest.raises(intercept.RedactionError, match="raised ValueError"):  # noqa: SIM117
        with intercept.use_cassette(cassette, redact=_raises):
            caller.run(_scenario, caller.client(canary.url))


@every_caller
def test_a_strict_session_fails_at_the_call(caller: Caller, provider: Provider, cassette: Path) -> None:
    """As for every row that cannot be written."""
    with pytest.raises(intercept.RedactionError, match="returned None"):  # noqa: SIM117
        with intercept.use_cassette(cassette, mode="record", strict=True, redact=_returns(None)):
            caller.run(_scenario, caller.client(provider.url))

    assert provider.hits == 0


def test_a_hook_may_let_a_text_grow(provider: Provider, canary: Canary, cassette: Path) -> None:
    """Or change its kind within an event."""
    caller = CALLERS[0]

    def hook(value: Any, where: str) -> Any:
        if where == "event":
            value["choices"][0]["message"]["content"] = "word " * 100_000
        return value

    async def scenario(client: Any) -> str:
        return said(await ask(client))

    with intercept.use_cassette(cassette, mode="record", redact=hook):
        caller.run(scenario, caller.client(provider.url))
    with intercept.use_cassette(cassette, redact=hook):
        replayed = caller.run(scenario, caller.client(canary.url))

    assert replayed == "word " * 100_000
