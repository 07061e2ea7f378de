"""Streams while they run: event by event, left early, cut, and given back as they were."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, items, settled
from tests.conformance.outcomes import seen
from tests.conftest import Canary


def _iterator(stream: Any) -> Any:
    return stream.__aiter__() if hasattr(stream, "__aiter__") else iter(stream)


async def _rest(iterator: Any) -> list[Any]:
    return [event async for event in iterator] if hasattr(iterator, "__anext__") else list(iterator)


async def _next(iterator: Any) -> Any:
    return await iterator.__anext__() if hasattr(iterator, "__anext__") else next(iterator)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("mode", ["off", "record"])
def test_a_stream_reaches_the_application_event_by_event(
    caller: Caller, mode: str, provider: Provider, cassette: Path
) -> None:
    """While recording, the application holds each event before the provider may send the next."""
    gate = provider.gate()
    # The third event of an Anthropic stream is a ping, which the SDK keeps to itself.
    due = [1, 1, 1] if caller.sdk == "openai" else [1, 1, 2]

    async def scenario(client: Any) -> list[int]:
        gate.release(due[0])
        iterator = _iterator(await ask(client, stream=True))
        sent: list[int] = []
        for following in (*due[1:], 0):
            await _next(iterator)
            sent.append(gate.sent)
            gate.release(following)
        gate.open()
        assert await _rest(iterator)
        return sent

    with intercept.use_cassette(cassette, mode=mode):
        sent = caller.run(scenario, caller.client(provider.url))

    assert sent == [sum(due[:1]), sum(due[:2]), sum(due)]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("leaving", ["close", "drop"])
def test_a_stream_left_early_keeps_what_was_read(
    caller: Caller, leaving: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """A row of its own kind: what was read replays, reading past it fails clearly, and never ends as if complete."""
    gate = provider.gate()

    async def two(client: Any, *, more: bool = False) -> list[Any]:
        gate.release(2)
        stream = await ask(client, stream=True)
        iterator = _iterator(stream)
        events = [await _next(iterator), await _next(iterator)]
        if more:
            events += await _rest(iterator)
        if leaving == "close":
            await settled(stream.close())
        return events

    async def all_of_it(client: Any) -> list[Any]:
        return await two(client, more=True)

    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(two, caller.client(provider.url))
        gc.collect()
        assert [played.end for played in session.calls] == ["closed"]
    with intercept.use_cassette(cassette):
        replayed = caller.run(two, caller.client(canary.url, key=None))
    with pytest.raises(intercept.Exhausted, match="ends here, after 2 events"), intercept.use_cassette(cassette):
        caller.run(all_of_it, caller.client(canary.url, key=None))

    assert seen(replayed) == seen(recorded)


def _broken_off(caller: Caller) -> tuple[bytes, ...]:
    """Return the first three events of a good stream."""
    if caller.sdk == "openai":
        chunk: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        chunks: list[tuple[str | None, object]] = [
            (None, {**chunk, "choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})
            for word in ("one", "two", "three")
        ]
        return Answer.sse(chunks).chunks or ()
    message: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    start = {"type": "message_start", "message": message}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "one"}}
    return Answer.sse([(str(event["type"]), event) for event in (start, block, delta)]).chunks or ()


async def _until_it_breaks(client: Any) -> list[Any]:
    events: list[Any] = []
    stream = await ask(client, stream=True)
    try:
        async for event in items(stream):
            events.append(event)  # noqa: PERF401  what came before the error counts
    except Exception as error:  # noqa: BLE001  its class depends on SDK and version, and is compared
        events.append((type(error).__qualname__, type(error).__module__))
    return events


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_cut_by_the_provider_breaks_at_the_same_place(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Two events, then the dropped connection: the same error of the same library, live and replayed."""
    outcomes: list[Any] = []
    for mode in ("off", "record", "replay"):
        answer = Answer(content_type="text/event-stream", chunks=_broken_off(caller), cut_after=2)
        provider.answer(*([answer] if mode != "replay" else []))
        url = canary.url if mode == "replay" else provider.url
        if mode == "record":
            with (
                pytest.warns(intercept.InterceptWarning, match="ended without its terminal"),
                intercept.use_cassette(cassette, mode=mode),
            ):
                outcomes.append(caller.run(_until_it_breaks, caller.client(url)))
        else:
            with intercept.use_cassette(cassette, mode=mode):
                outcomes.append(caller.run(_until_it_breaks, caller.client(url)))

    unpatched, recorded, replayed = map(seen, outcomes)
    assert len(unpatched) == 3
    assert recorded == unpatched
    assert replayed == unpatched


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_an_error_event_inside_a_stream_comes_at_the_same_place(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Two good events, then the provider's error payload in an HTTP 200."""
    error: Any = {"error": {"message": "overloaded", "type": "server_error", "param": None, "code": None}}
    if caller.sdk == "anthropic":
        error = {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
    payload = Answer.sse([(None if caller.sdk == "openai" else "error", error)]).chunks or ()
    provider.answer(Answer(content_type="text/event-stream", chunks=(*_broken_off(caller)[:2], *payload)))

    async def caught(client: Any) -> list[Any]:
        stream = await ask(client, stream=True)
        events: list[Any] = []
        try:
            async for event in items(stream):
                events.append(event)  # noqa: PERF401  what came before the error counts
        except (openai.APIError, anthropic.APIError) as problem:
            events.append(problem)
        return events

    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(caught, caller.client(provider.url))
    with intercept.use_cassette(cassette):
        replayed = caller.run(caught, caller.client(canary.url, key=None))

    assert len(recorded) == 3
    assert isinstance(recorded[-1], (openai.APIError, anthropic.APIError))
    assert seen(replayed) == seen(recorded)
    assert [played.end for played in session.calls] == ["complete"]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_still_open_at_the_end_of_its_session_is_written_with_a_warning(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """Nobody reads or closes it: the row is written as far as it was read."""
    kept: list[Any] = []

    async def opened(client: Any) -> None:
        with intercept.use_cassette(cassette, mode="record") as session:
            stream = await ask(client, stream=True)
            kept.append(stream)
        assert [played.end for played in session.calls] == ["closed"]
        await settled(stream.close())

    with pytest.warns(intercept.InterceptWarning, match="was still open when the session ended"):
        caller.run(opened, caller.client(provider.url))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_open_at_the_end_of_a_replay_stays_readable(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """What was claimed may be read to its end."""

    async def scenario(client: Any) -> list[Any]:
        with intercept.use_cassette(cassette, mode="record"):
            recorded = await each(await ask(client, stream=True))
        with intercept.use_cassette(cassette):
            stream = await ask(client, stream=True)
        return [recorded, await each(stream)]

    recorded, replayed = caller.run(scenario, caller.client(provider.url))

    assert seen(replayed) == seen(recorded)
    assert provider.hits == 1
