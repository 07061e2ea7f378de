"""Leaving a stream before its end, in every way there is."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from intercept_stainless.tee import _given_away
from tests.conformance.callers import CALLERS, Caller, ask, each, entered, settled
from tests.conformance.outcomes import seen
from tests.conformance.streams import bodies
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.steps import begun, taken
from tests.conformance.streams.views import helped

Way = Callable[[Any, Runs], Awaitable["list[Any]"]]


class _Out(BaseException):
    """What throws a reader out of a `with` block, and no `except Exception` holds."""


async def _close(stream: Any, runs: Runs) -> list[Any]:
    events = await taken(begun(stream), 2)
    await settled(stream.close())
    await runs.left()
    return events


async def _close_its_response(stream: Any, runs: Runs) -> list[Any]:
    events = await taken(begun(stream), 2)
    await settled(stream.response.aclose() if hasattr(stream, "__aiter__") else stream.response.close())
    await runs.left()
    return events


async def _leave_its_block(stream: Any, runs: Runs) -> list[Any]:
    async with entered(stream):
        events = await taken(begun(stream), 2)
    await runs.left()
    return events


async def _be_thrown_out_of_its_block(stream: Any, runs: Runs) -> list[Any]:
    events: list[Any] = []
    try:
        async with entered(stream):
            events += await taken(begun(stream), 2)
            raise _Out
    except _Out:
        await runs.left()
    return events


async def _break_and_drop(stream: Any, runs: Runs) -> list[Any]:
    synchronous = not hasattr(stream, "__aiter__")
    events = await taken(begun(stream), 2)
    del stream
    gc.collect()
    if synchronous:  # how soon an asynchronous one is closed is between the SDK, the HTTP library and the event loop
        await runs.left()
    return events


async def _close_unread(stream: Any, runs: Runs) -> list[Any]:
    await settled(stream.close())
    await runs.left()
    return []


async def _drop_unread(stream: Any, runs: Runs) -> list[Any]:
    del stream
    gc.collect()
    return []


WAYS: list[Way] = [
    _close,
    _close_its_response,
    _leave_its_block,
    _be_thrown_out_of_its_block,
    _break_and_drop,
    _close_unread,
    _drop_unread,
]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_"))
def test_a_stream_left_early_keeps_what_was_read(caller: Caller, way: Way, runs: Runs) -> None:
    """A row of its own kind: what was read replays, reading past it fails clearly, and the provider sees us leave."""

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(2)
            return await way(await ask(client, stream=True), runs)

    async def all_of_it(client: Any) -> Any:
        return await each(await ask(client, stream=True))

    events = runs.compare(caller, scenario, ends=["closed"])
    with pytest.raises(intercept.Exhausted, match=f"ends here, after {len(events)} events"):
        runs.once("replay", caller, all_of_it)
    assert len(runs.rows[0]["events"]) == len(events)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_half_an_event_is_not_kept_of_a_stream_left_early(caller: Caller, runs: Runs) -> None:
    """Nobody has seen it: the row ends with the last whole event."""
    first, second, *_ = bodies.chunks(bodies.events(caller))
    answer = bodies.stream((first + second[:20], second[20:]))

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(1)
            async with entered(await ask(client, stream=True)) as stream:
                return await taken(begun(stream), 1)

    runs.compare(caller, scenario, answer, ends=["closed"])
    assert len(runs.rows[0]["events"]) == 1


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("blank", [b"\n", b"\r\n\r\n"], ids=["LF", "CRLF"])
def test_blank_lines_do_not_cut_a_stream_left_early(caller: Caller, blank: bytes, runs: Runs) -> None:
    """A provider may write more of them than an event needs; what comes behind them was read as well."""
    pieces = [chunk.replace(b"\n", blank[:2]) + blank for chunk in bodies.chunks(bodies.events(caller))]

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(2)
            async with entered(await ask(client, stream=True)) as stream:
                return await taken(begun(stream), 2)

    runs.compare(caller, scenario, bodies.stream(pieces), ends=["closed"])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("together", [True, False])
def test_a_stream_left_at_its_last_event_is_complete_if_its_terminal_came(
    caller: Caller, together: bool, runs: Runs
) -> None:
    """Whether the SDK has looked at it or not; the `[DONE]` of a chat may still be on its way."""
    pieces = bodies.chunks(bodies.events(caller))
    count = len(pieces) - (caller.sdk == "openai")  # its terminal is no event of the application's
    answer = bodies.stream([b"".join(pieces)] if together else pieces)

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(count)
            async with entered(await ask(client, stream=True)) as stream:
                return await taken(begun(stream), count)

    came = together or caller.sdk == "anthropic"
    runs.compare(caller, scenario, answer, ends=["complete" if came else "closed"])


def _response(client: Any) -> Any:
    return client.responses.stream(model="m", input="hi")


HELPERS = [
    *(pytest.param(caller, helped, id=str(caller)) for caller in CALLERS),
    *(pytest.param(caller, _response, id=f"{caller}-responses") for caller in CALLERS if caller.sdk == "openai"),
]


@pytest.mark.parametrize(("caller", "helper"), HELPERS)
def test_a_helper_left_early_keeps_what_was_read(caller: Caller, helper: Any, runs: Runs) -> None:
    """Its block closes the stream below it."""

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(2)
            async with entered(helper(client)) as stream:
                events = await taken(begun(stream), 2)
            await runs.left()
            return [event.type for event in events]

    runs.compare(caller, scenario, ends=["closed"])
    assert len(runs.rows[0]["events"]) in (1, 2)  # a helper may make two events of one


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


def test_what_a_thread_reads_on_while_the_session_ends_does_not_come_first() -> None:
    """The row is made of what was there: a chunk that comes meanwhile is left out."""
    chunks = [b"one", b"two"]
    given = _given_away(chunks)

    first = next(given)
    chunks.append(b"late")

    assert [first, *given] == [b"one", b"two"]


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
