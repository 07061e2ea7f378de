"""Secrets in conversations: recorded with real ones, replayed with others, with none, or with placeholders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.answering import saying
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conftest import Canary

A, B, C = ("sk-" + "proj-" + letters * 20 for letters in ("a1", "b2", "c3"))

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


async def _say(client: Any, caller: Caller, messages: list[Any]) -> str:
    if caller.sdk == "openai":
        reply = await settled(client.chat.completions.create(model="m", messages=messages))
        return str(reply.choices[0].message.content)
    reply = await settled(client.messages.create(model="m", max_tokens=9, messages=messages))
    return str(reply.content[0].text)


async def _converse(client: Any, caller: Caller, questions: list[str]) -> list[str]:
    """Talk as an agent does: every answer is part of the next question."""
    messages: list[Any] = []
    said: list[str] = []
    for question in questions:
        messages.append({"role": "user", "content": question})
        said.append(await _say(client, caller, messages))
        messages.append({"role": "assistant", "content": said[-1]})
    return said


@every_caller
@pytest.mark.parametrize(
    ("questions", "answers"),
    [
        (["hello", f"take {A}", "thanks"], [f"I know {B}", "done", f"{A} and {B}"]),
        ([f"take {A}", "and?", "more"], [f"you gave {A}", f"I have {B}", f"{C}, {B}, {A}"]),
        ([f"{B} before {A}", f"now {A} before {B}", f"{C}"], [f"{A}", f"{C}", f"{B}"]),
        (["a", "b", f"{A} {B} {C}"], [f"{C}", f"{B}", f"{A}"]),
    ],
    ids=["leaks before it is given", "echoes", "changes the order", "leaks all"],
)
def test_a_conversation_replays_whoever_brought_up_the_secret(
    caller: Caller, questions: list[str], answers: list[str], *, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """While recording the application sees the live answers, in replay their placeholders: its questions still hit."""
    provider.answer(*(saying(caller, text) for text in answers))

    async def scenario(client: Any) -> list[str]:
        return await _converse(client, caller, questions)

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(scenario, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(scenario, caller.client(canary.url, key=None if caller.sdk == "openai" else "sk"))

    assert recorded == answers
    assert [played.live for played in session.calls] == [False] * 3
    assert not any(secret in json.dumps([replayed, cassette.read_text()]) for secret in (A, B, C))


@every_caller
@pytest.mark.parametrize("key", [None, "test", "sk", "sk-" + "rotated0" * 6], ids=["none", "test", "sk", "rotated"])
def test_whatever_the_key_is_the_request_is_the_same(
    caller: Caller,
    key: str | None,
    *,
    provider: Provider,
    canary: Canary,
    cassette: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Recorded with a real key, which the answer quotes and the next question holds."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    real = "sk-" + "realreal0" * 5
    provider.answer(saying(caller, f"Your key is {real}"), saying(caller, "yes"))

    async def scenario(client: Any) -> list[str]:
        return await _converse(client, caller, ["what is my key?", "sure?"])

    def hashes(url: str, key: str | None, mode: str) -> list[str]:
        with intercept.use_cassette(cassette, mode=mode) as session:
            client = caller.client(url, key=key)
            caller.run(scenario, client)
        return [played.request_hash for played in session.calls]

    recorded = hashes(provider.url, real, "record")

    assert hashes(canary.url, key, "replay") == recorded
    assert real not in cassette.read_text()
