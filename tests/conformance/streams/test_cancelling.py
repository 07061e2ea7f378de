"""Cancelling a task that reads a stream, or that waits for an answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, ask, each, said
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.steps import begun, following, taken

ASYNC = [caller for caller in CALLERS if caller.is_async]


@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("holding", [False, True], ids=["waiting for an event", "holding an event"])
def test_a_cancelled_reader_gets_nothing_more(caller: Caller, holding: bool, runs: Runs) -> None:
    """Recorded: the whole events it had. Replayed: no event comes after the cancellation, though there is no wait."""

    async def scenario(client: Any) -> Any:
        events: list[Any] = []
        two = asyncio.Event()

        async def read() -> None:
            async with await ask(client, stream=True) as stream:
                async for event in stream:
                    events.append(event)
                    if len(events) == 2:
                        two.set()
                        if holding:
                            await asyncio.sleep(60)

        with runs.provider.gate() as gate:
            gate.release(2)
            reading = asyncio.create_task(read())
            await two.wait()
            reading.cancel()
            await asyncio.wait({reading})
            await runs.left()
        return [reading.cancelled(), events]

    cancelled, events = runs.compare(caller, scenario, ends=["closed"])
    assert cancelled
    assert len(events) == len(runs.rows[0]["events"]) == 2


@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_the_row_of_a_cancelled_reader_stays_used(caller: Caller, runs: Runs) -> None:
    """It was claimed when the call was made."""

    async def whole(client: Any) -> Any:
        return await each(await ask(client, stream=True))

    async def cancelled_then_again(client: Any) -> Any:
        reading = asyncio.create_task(whole(client))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait({reading})
        return await whole(client)

    runs.once("record", caller, whole)
    with pytest.raises(intercept.Exhausted):
        runs.once("replay", caller, cancelled_then_again)


@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_a_reader_that_runs_out_of_time_keeps_what_it_read(caller: Caller, runs: Runs) -> None:
    """A replay has no time to run out of: reading as far works, and reading on fails clearly."""

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(2)
            async with await ask(client, stream=True) as stream:
                events = await taken(begun(stream), 2)
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(following(stream), 0.05)
            await runs.left()
        return events

    async def two(client: Any) -> Any:
        async with await ask(client, stream=True) as stream:
            return await taken(begun(stream), 2)

    unpatched = runs.once("off", caller, scenario)
    assert runs.once("record", caller, scenario) == unpatched
    assert [(row["end"], len(row["events"])) for row in runs.rows] == [("closed", 2)]
    assert runs.once("replay", caller, two) == unpatched
    with pytest.raises(intercept.Exhausted):
        runs.once("replay", caller, scenario)


@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("stream", [False, True])
def test_a_call_cancelled_before_it_was_answered_leaves_no_row(caller: Caller, stream: bool, runs: Runs) -> None:
    """It keeps its number, so the next one is the second; a replay serves what there is."""

    async def answered(client: Any) -> Any:
        return await each(await ask(client, stream=True)) if stream else said(await ask(client))

    async def scenario(client: Any) -> Any:
        with runs.provider.hold() as hold:
            asking = asyncio.create_task(answered(client))
            await asyncio.to_thread(hold.wait, 1)
            asking.cancel()
            await asyncio.wait({asking})
            await runs.left()
        return await answered(client)

    recorded = runs.once("record", caller, scenario)
    assert [(played.status, played.end) for played in runs.calls["record"]] == [(None, None), (200, "complete")]
    assert [row["occurrence"] for row in runs.rows] == [1]
    assert runs.once("replay", caller, answered) == recorded
