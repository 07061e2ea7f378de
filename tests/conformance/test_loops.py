"""More than one event loop: one client in several, several threads with one each, and sessions in threads of a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, each, said
from tests.conformance.outcomes import seen
from tests.conftest import Canary

SYNC = [caller for caller in CALLERS if not caller.is_async]
ASYNC = [caller for caller in CALLERS if caller.is_async]


def _client(caller: Caller, url: str, key: str | None) -> Any:
    """Make a client that leaves no connection behind, as another event loop could not use it."""
    return caller.client(url, key=key, default_headers={"connection": "close"}, max_retries=0)


async def _plain_and_streamed(client: Any, text: str) -> list[Any]:
    return [said(await ask(client, text)), await each(await ask(client, text, stream=True))]


def _shared(client: Any, texts: list[str]) -> Any:
    """Ask in one event loop after the other."""
    return [seen(asyncio.run(_plain_and_streamed(client, text))) for text in texts]


def _at_once(client: Any, texts: list[str]) -> Any:
    """Ask in as many event loops as there are texts, all running at once."""
    barrier = Barrier(len(texts))

    def one(text: str) -> Any:
        barrier.wait(10)
        return seen([asyncio.run(_plain_and_streamed(client, text)) for _ in range(3)])

    with ThreadPoolExecutor(len(texts)) as pool:
        return list(pool.map(one, texts))


@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("loops", [_shared, _at_once], ids=["one after another", "at once"])
def test_one_client_serves_several_event_loops(
    caller: Caller, loops: Any, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Each loop gets the answers to its own questions, recorded and replayed."""
    texts = ["one", "two", "three"]
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = loops(_client(caller, provider.url, KEY), texts)
    hits = provider.hits
    with intercept.use_cassette(cassette) as replay:
        replayed = loops(_client(caller, canary.url, None), texts)

    assert replayed == recorded
    assert len(session.calls) == len(replay.calls) == provider.hits == hits
    assert [text in str(answers) for text, answers in zip(texts, recorded, strict=True)] == [True] * 3


@pytest.fixture
def _another_session() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Have a session active in a thread that has nothing to do with the test."""
    begun, over = Event(), Event()

    def hold() -> None:
        with intercept.use_cassette("another.jsonl", mode="off"):
            begun.set()
            over.wait(30)

    thread = Thread(target=hold)
    thread.start()
    begun.wait(10)
    yield
    over.set()
    thread.join()


@pytest.mark.usefixtures("_another_session")
@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_threads_that_each_run_a_loop_share_a_session(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Eight of them with a client of their own each: the session is the one of the code that started them."""

    def work(url: str, key: str | None) -> Any:
        def one(number: int) -> Any:
            async def scenario(client: Any) -> Any:
                texts = (f"question {number}, {part}" for part in ("first", "second"))
                return await asyncio.gather(*(_plain_and_streamed(client, text) for text in texts))

            return seen(caller.run(scenario, caller.client(url, key=key)))

        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(one, range(8)))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = work(provider.url, KEY)
    with intercept.use_cassette(cassette) as session:
        replayed = work(canary.url, None)

    assert replayed == recorded
    assert len(session.calls) == provider.hits == 32


@pytest.mark.parametrize("caller", SYNC, ids=str)
@pytest.mark.parametrize("outer", [False, True], ids=["alone", "inside another"])
def test_each_thread_of_a_loop_may_have_a_session_of_its_own(
    caller: Caller, outer: bool, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Started by `asyncio.to_thread`, at the same time: neither sees the other's cassette, nor does the loop."""

    async def work(mode: Any, url: str) -> list[Any]:
        barrier = Barrier(2)

        def one(name: str) -> Any:
            with intercept.use_cassette(tmp_path / f"{name}.jsonl", mode=mode) as session:
                barrier.wait(10)
                answer = caller.run(lambda client: _plain_and_streamed(client, "hi"), caller.client(url))
                barrier.wait(10)
            return [seen(answer), len(session.calls)]

        before = intercept.current_session()
        answers = await asyncio.gather(*(asyncio.to_thread(one, name) for name in ("one", "two")))
        assert intercept.current_session() is before
        return answers

    def run(mode: Any, url: str) -> Any:
        if not outer:
            return asyncio.run(work(mode, url))
        with intercept.use_cassette(tmp_path / "outer.jsonl", mode="record", verify=False) as session:
            answers = asyncio.run(work(mode, url))
            caller.run(lambda client: ask(client, "outside"), caller.client(provider.url))
        assert len(session.calls) == 1
        return answers

    recorded = run("record", provider.url)
    replayed = run("replay", canary.url)

    assert replayed == recorded
    assert [calls for _, calls in recorded] == [2, 2]
    assert recorded[0] != recorded[1]
