"""The mode `extend`: what is known comes from the cassette, the rest goes live and is added at once."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import Caller, ask, each, said
from tests.conftest import Canary
from tests.core.either_layout import everything, exchanges, play, quietly, rows_of, texts_of
from tests.core.handmade import header
from tests.core.recording import SYNC, asking, every_caller

pytestmark = pytest.mark.usefixtures("a_program")


@every_caller
def test_what_is_known_is_served_and_the_rest_added(
    caller: Caller, provider: Provider, canary: Canary, named: str
) -> None:
    """Mixed, and asked more often than it was recorded: numbers go on, rows that were there stay to the byte."""
    play(named, "record", provider.url, "a", "b", "a", caller=caller)
    before, hits = texts_of(named), provider.hits

    with intercept.use_cassette(named, mode="extend") as session:
        answers = caller.run(asking("a", "c", "b", "a", "a", "c"), caller.client(provider.url))

    assert [answer.split()[1] for answer in answers] == ["1", "4", "2", "3", "5", "6"]
    assert [played.live for played in session.calls] == [False, True, False, False, True, True]
    assert provider.hits == hits + 3
    assert set(before) < set(texts_of(named))
    assert sorted((text, number) for text, number, _ in exchanges(named)) == [
        ("a", 0), ("a", 1), ("a", 2), ("b", 0), ("c", 0), ("c", 1)
    ]  # fmt: skip
    assert play(named, "replay", canary.url, "a", "c", "b", "a", "a", "c", caller=caller) == answers


@every_caller
def test_a_row_is_in_the_cassette_before_its_caller_goes_on(caller: Caller, provider: Provider, named: str) -> None:
    """Whole, with what the model can do, and with nothing beside it that waits."""
    seen: list[int] = []

    async def asked(client: Any) -> None:
        for text in "abc":
            await ask(client, text)
            assert [row["caps"]["context_window"] for row in rows_of(named)] == [7] * (len(seen) + 1)
            seen.append(len(everything(named)))

    caps = {"gpt-4o": {"context_window": 7}, "claude-test": {"context_window": 7}}
    with intercept.use_cassette(named, mode="extend", caps=caps):
        caller.run(asked, caller.client(provider.url))

    assert seen == ([1, 1, 1] if named.endswith(".jsonl") else [1, 2, 3])


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(0), GeneratorExit()], ids=repr)
def test_whatever_ends_the_session_the_rows_stay(
    error: BaseException, provider: Provider, canary: Canary, named: str
) -> None:
    """There is nothing to be left behind, and nothing to be told."""
    play(named, "record", provider.url, "a")

    def ended() -> None:
        with intercept.use_cassette(named, mode="extend"):
            SYNC.run(asking("b"), SYNC.client(provider.url))
            raise error

    with pytest.raises(type(error)) as caught:
        ended()

    assert getattr(caught.value, "__notes__", []) == []
    assert play(named, "replay", canary.url, "a", "b") == ["Reply 1 to: a", "Reply 2 to: b"]
    assert len(everything(named)) == (1 if named.endswith(".jsonl") else 2)


@every_caller
def test_streams_are_added_when_they_end_and_served_afterwards(
    caller: Caller, provider: Provider, canary: Canary, named: str
) -> None:
    """Not while they are read: a stream is one row."""
    counts: list[int] = []

    async def streamed(client: Any) -> list[Any]:
        known = await each(await ask(client, "known", stream=True))
        unknown = await ask(client, "unknown", stream=True)
        counts.append(len(rows_of(named)))
        read = await each(unknown)
        counts.append(len(rows_of(named)))
        return [known, read]

    async def known(client: Any) -> None:
        await each(await ask(client, "known", stream=True))

    with intercept.use_cassette(named, mode="record"):
        caller.run(known, caller.client(provider.url))
    with intercept.use_cassette(named, mode="extend") as session:
        live = caller.run(streamed, caller.client(provider.url))
    with intercept.use_cassette(named):
        replayed = caller.run(streamed, caller.client(canary.url))

    assert [(played.live, played.end) for played in session.calls] == [(False, "complete"), (True, "complete")]
    assert counts == [1, 2, 2, 2]
    assert replayed == live


@every_caller
def test_errors_and_tries_are_rows_of_their_own(caller: Caller, provider: Provider, canary: Canary, named: str) -> None:
    """A 429 and the answer after it, live and then from the cassette; an error is served as an error."""
    error = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    provider.answer(error(429, retry_after_ms=1))

    async def asked(client: Any) -> str:
        text = said(await ask(client, "tried"))
        provider.answer(error(403))
        with pytest.raises(Exception, match="403"):
            await ask(client, "refused")
        return text

    with intercept.use_cassette(named, mode="extend") as recording:
        live = caller.run(asked, caller.client(provider.url))
    with intercept.use_cassette(named, mode="extend") as replay:
        served = caller.run(asked, caller.client(canary.url))

    assert served == live
    assert [(played.live, played.status) for played in recording.calls] == [(True, 429), (True, 200), (True, 403)]
    assert [(played.live, played.status) for played in replay.calls] == [(False, 429), (False, 200), (False, 403)]


def test_a_client_needs_a_key_as_it_does_live(provider: Provider, canary: Canary, named: str) -> None:
    """It may go live at any call; in replay alone nothing is ever sent, so a client may be made without a key."""
    play(named, "record", provider.url, "a")

    with intercept.use_cassette(named, mode="extend"):
        SYNC.run(asking("a"), SYNC.client(canary.url))
        with pytest.raises(openai.OpenAIError, match="OPENAI_API_KEY"):
            openai.OpenAI(base_url=canary.url + "/v1")
    with intercept.use_cassette(named):
        SYNC.run(asking("a"), SYNC.client(canary.url, key=None))


@pytest.mark.parametrize("content", [None, b"", b" \n", header()], ids=["no file", "empty", "blank", "header only"])
def test_where_there_is_nothing_a_cassette_is_begun(
    content: bytes | None, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """A missing folder is made too, but not before there is a row."""
    if content is not None:
        cassette.parent.mkdir()
        cassette.write_bytes(content)

    with intercept.use_cassette(cassette, mode="extend"):
        assert cassette.parent.exists() == (content is not None)
        SYNC.run(asking("a"), SYNC.client(provider.url))

    assert cassette.read_bytes().startswith(b'{"kind":"intercept-cassette"') or content == b" \n"
    assert play(cassette, "replay", canary.url, "a") == ["Reply 1 to: a"]


@pytest.mark.parametrize(
    ("cut", "left"),
    [(-1, "ab"), (-2, "a"), (-40, "a"), (None, "ab")],
    ids=["no newline", "its last brace too", "in the middle", "whole"],
)
def test_a_last_line_is_never_fused_with_what_is_added(
    cut: int | None, left: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """One that only lacks its newline is kept, one that was torn off is left out, with a warning."""
    play(cassette, "record", provider.url, "a", "b")
    cassette.write_bytes(cassette.read_bytes()[:cut])

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        play(cassette, "extend", provider.url, "c")

    assert bool(caught) == (left == "a")
    assert all("cut off" in str(warning.message) for warning in caught)
    assert [text for text, _, _ in exchanges(cassette)] == [*left, "c"]
    assert play(cassette, "replay", canary.url, "a", "c") == ["Reply 1 to: a", "Reply 3 to: c"]


@pytest.mark.parametrize("texts", ["", "a"], ids=["no call", "what is known"])
def test_a_session_that_adds_nothing_leaves_every_byte(texts: str, provider: Provider, named: str) -> None:
    """Where all is known it is a replay."""
    play(named, "record", provider.url, "a")
    before, hits = everything(named), provider.hits

    quietly(named, "extend", provider.url, *texts)

    assert everything(named) == before
    assert provider.hits == hits
