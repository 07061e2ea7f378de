"""Many streams at once, and streams that change hands."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, each
from tests.conformance.outcomes import seen
from tests.conftest import Canary

SYNC = [caller for caller in CALLERS if not caller.is_async]
ASYNC = [caller for caller in CALLERS if caller.is_async]


@pytest.mark.parametrize("caller", SYNC, ids=str)
def test_thirty_two_threads_read_a_stream_each(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """On one client, all begun before any is read on: each gets its own answer, and every row is whole."""

    async def scenario(client: Any) -> Any:
        barrier = Barrier(32)

        def one(number: int) -> Any:
            stream = asyncio.run(ask(client, f"question {number}", stream=True))
            events = [next(stream)]
            barrier.wait(30)
            return [*events, *stream]

        with ThreadPoolExecutor(32) as pool:
            return list(pool.map(one, range(32)))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = seen(caller.run(scenario, caller.client(provider.url)))
    with intercept.use_cassette(cassette) as session:
        replayed = seen(caller.run(scenario, caller.client(canary.url, key=None)))

    assert replayed == recorded
    assert all(f"'{number}'" in str(events) for number, events in enumerate(recorded))
    rows = [json.loads(line) for line in cassette.read_text("utf-8").splitlines()[1:]]
    assert [row["end"] for row in rows] == ["complete"] * 32 == [played.end for played in session.calls]
    assert provider.hits == 32


@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_fifty_streams_are_read_in_turns(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """One event of each in every round, half of them of the same question: none gets an event of another's."""

    async def scenario(client: Any) -> Any:
        texts = ["hi" if number % 2 else f"question {number}" for number in range(50)]
        streams = await asyncio.gather(*(ask(client, text, stream=True) for text in texts))
        events: list[list[Any]] = [[] for _ in streams]
        open_ = dict(enumerate(stream.__aiter__() for stream in streams))
        while open_:
            for number, iterator in list(open_.items()):
                try:
                    events[number].append(await iterator.__anext__())
                except StopAsyncIteration:
                    del open_[number]
        return events

    with intercept.use_cassette(cassette, mode="record"):
        recorded = seen(caller.run(scenario, caller.client(provider.url)))
    with intercept.use_cassette(cassette) as session:
        replayed = seen(caller.run(scenario, caller.client(canary.url, key=None)))

    assert replayed == recorded
    assert len({str(events) for events in recorded}) == len(session.calls) == provider.hits == 50
    assert {played.end for played in session.calls} == {"complete"}


async def _in_tasks(client: Any) -> Any:
    """Begin a stream in one task, and read it on in another."""

    async def begin() -> Any:
        stream = await ask(client, stream=True)
        return stream, [await stream.__anext__()]

    stream, events = await asyncio.create_task(begin())
    return [*events, *await asyncio.create_task(each(stream))]


async def _in_threads(client: Any) -> Any:
    """Begin a stream in one thread, and read it on in another."""

    def begin() -> Any:
        stream = asyncio.run(ask(client, stream=True))
        return stream, [next(stream)]

    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        stream, events = one.submit(begin).result(10)
        return [*events, *other.submit(list, stream).result(10)]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_may_change_hands(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Between tasks or threads; it is one call, and one row."""
    scenario = _in_tasks if caller.is_async else _in_threads
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = seen(caller.run(scenario, caller.client(provider.url)))
        assert [played.end for played in session.calls] == ["complete"]
    with intercept.use_cassette(cassette) as session:
        replayed = seen(caller.run(scenario, caller.client(canary.url, key=None)))

    assert replayed == recorded
    assert [played.end for played in session.calls] == ["complete"]


@pytest.mark.parametrize("caller", SYNC, ids=str)
def test_a_stream_read_by_a_thread_from_before_the_session_is_recorded(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """What counts is who asked: the reader may know of no session, or of another."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result(10)  # its thread is here before any session

        async def scenario(client: Any) -> Any:
            stream = await ask(client, stream=True)
            with intercept.use_cassette(cassette.with_name("other.jsonl"), mode="off"):
                return pool.submit(list, stream).result(10)

        with intercept.use_cassette(cassette, mode="record") as session:
            recorded = seen(caller.run(scenario, caller.client(provider.url, key=KEY)))
            assert [played.end for played in session.calls] == ["complete"]
        with intercept.use_cassette(cassette):
            assert seen(caller.run(scenario, caller.client(canary.url, key=None))) == recorded
