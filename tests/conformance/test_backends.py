"""The SDKs on trio as on asyncio, and in task groups of anyio on either."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
import trio

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, said
from tests.conformance.outcomes import seen
from tests.conformance.stage import Stage
from tests.conftest import Canary

ASYNC = [caller for caller in CALLERS if caller.is_async]
Scenario = Callable[[Any], Awaitable[Any]]


class Backend:
    """One event loop's library."""

    def __init__(self, run: Callable[[Callable[[], Any]], Any]) -> None:
        self._run = run

    def run(self, scenario: Scenario, client: Any) -> Any:
        """Run a scenario to its end, and close its client."""

        async def whole() -> Any:
            try:
                return await scenario(client)
            finally:
                await client.close()

        return seen(self._run(whole))


def _run_as_guest(whole: Callable[[], Any]) -> Any:
    """Run in trio, which runs in the callbacks of asyncio's loop."""

    async def host() -> Any:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        trio.lowlevel.start_guest_run(
            whole, run_sync_soon_threadsafe=loop.call_soon_threadsafe, done_callback=ended.set_result
        )
        return (await ended).unwrap()

    return asyncio.run(host())


BACKENDS = {
    "asyncio": Backend(lambda whole: asyncio.run(whole())),
    "trio": Backend(trio.run),
    "trio as a guest": Backend(_run_as_guest),
}


async def _plain_and_streamed(client: Any) -> Any:
    return [said(await ask(client)), await each(await ask(client, stream=True))]


async def _in_a_task_group(client: Any) -> Any:
    answers: dict[int, Any] = {}

    async def one(number: int) -> None:
        answers[number] = await each(await ask(client, f"question {number}", stream=True))

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(one, number)
    return ["".join(map(str, answers[number])).count(f"'{number}'") for number in range(5)]


# What openai leaves behind at `[DONE]`, and the library below it; trio says so. A generator of ours must be finished.
@pytest.mark.filterwarnings("ignore:Async generator '(openai|httpx2|httpcore2):ResourceWarning")
@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("scenario", [_plain_and_streamed, _in_a_task_group], ids=["alone", "in a task group"])
def test_what_was_recorded_on_one_backend_replays_on_both(
    caller: Caller, backend: str, scenario: Scenario, stage: Stage
) -> None:
    """And the application sees what it sees without us."""
    unpatched = BACKENDS[backend].run(scenario, caller.client(stage.provider.url))
    stage.provider.reset()
    with intercept.use_cassette(stage.cassette, mode="record") as session:
        recorded = BACKENDS[backend].run(scenario, caller.client(stage.provider.url))

    assert recorded == unpatched
    assert {played.end for played in session.calls} == {"complete"}
    for other in BACKENDS.values():
        with intercept.use_cassette(stage.cassette) as session:
            assert other.run(scenario, caller.client(stage.canary.url, key=None)) == unpatched
        assert {played.end for played in session.calls} == {"complete"}


@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_cancelled_scope_ends_a_stream(
    caller: Caller, backend: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """While it waits for an event: what was read is kept, and in replay nothing comes after the cancellation."""

    async def scenario(client: Any) -> Any:
        events: list[Any] = []
        gate = provider.gate()
        gate.release(2)
        with anyio.CancelScope() as scope:
            async with await ask(client, stream=True) as stream:
                async for event in stream:
                    events.append(event)
                    if len(events) == 2:
                        scope.cancel()
        return [events, scope.cancelled_caught]

    async def seen_to_leave(client: Any) -> Any:
        outcome = await scenario(client)
        await anyio.to_thread.run_sync(provider.left.wait, 1)
        return outcome

    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = BACKENDS[backend].run(seen_to_leave, caller.client(provider.url))
    assert [played.end for played in session.calls] == ["closed"]

    with intercept.use_cassette(cassette):
        replayed = BACKENDS[backend].run(scenario, caller.client(canary.url, key=None))

    assert replayed == recorded
    assert (len(recorded[0]), recorded[1]) == (2, True)


@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stream_that_ran_out_of_time_and_a_call_that_was_given_up(
    caller: Caller, backend: str, provider: Provider, cassette: Path
) -> None:
    """A stream that waits keeps its two events; a call that was not answered yet leaves no row."""

    async def scenario(client: Any) -> Any:
        with provider.gate() as gate:
            gate.release(2)
            events: list[Any] = []
            with anyio.move_on_after(math.inf) as reading:
                async for event in await ask(client, stream=True):
                    events.append(event)
                    reading.deadline = anyio.current_time() + 0.05
            await anyio.to_thread.run_sync(provider.left.wait, 1)
        with provider.hold() as hold:
            async with anyio.create_task_group() as group:
                group.start_soon(ask, client)
                await anyio.to_thread.run_sync(hold.wait, 1)
                group.cancel_scope.cancel()
            await anyio.to_thread.run_sync(provider.left.wait, 2)
        return [len(events), reading.cancelled_caught]

    with intercept.use_cassette(cassette, mode="record") as session:
        outcome = BACKENDS[backend].run(scenario, caller.client(provider.url))

    assert outcome == [2, True]
    assert [played.end for played in session.calls] == ["closed", None]
    rows = [json.loads(line) for line in cassette.read_text("utf-8").splitlines()[1:]]
    assert [(row["end"], len(row["events"])) for row in rows] == [("closed", 2)]
