"""One `use_cassette` gone through by many threads or tasks at once, and inside of itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from intercept import Session, current_session, use_cassette
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask, said
from tests.conftest import Canary
from tests.core.running import session_here


@pytest.fixture
def recorded(provider: Provider, cassette: Path) -> Path:
    """A cassette of two answers to one question."""
    with use_cassette(cassette, mode="record"):
        CALLERS[0].run(_asked_twice, CALLERS[0].client(provider.url))
    return cassette


async def _asked_twice(client: Any) -> list[str]:
    return [said(await ask(client)), said(await ask(client))]


@pytest.mark.parametrize("how", ["block", "decorator"])
def test_one_door_is_gone_through_by_many_threads_at_once(how: str, recorded: Path, canary: Canary) -> None:
    """Each has a session of its own, so each is answered from the first row on."""
    together = threading.Barrier(8)
    door = use_cassette(recorded)

    def asked() -> list[str]:
        together.wait(10)
        answers: list[str] = CALLERS[0].run(_asked_twice, CALLERS[0].client(canary.url))
        together.wait(10)
        return answers

    def through(_: int) -> list[str]:
        if how == "decorator":
            return door(asked)()
        with door:
            return asked()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(through, range(8)))

    assert answers == [["Reply 1 to: hi", "Reply 2 to: hi"]] * 8
    assert current_session() is None


@pytest.mark.parametrize("how", ["block", "async block", "decorator", "decorated generator"])
def test_one_door_is_gone_through_by_many_tasks_at_once(how: str, recorded: Path, canary: Canary) -> None:
    """However they take turns."""
    door = use_cassette(recorded)
    waiting: list[asyncio.Event] = []

    async def asked(client: Any) -> list[str]:
        answers = [said(await ask(client))]
        waiting.append(asyncio.Event())
        if len(waiting) == 8:
            for event in reversed(waiting):
                event.set()
        await waiting[-1].wait()
        return [*answers, said(await ask(client))]

    async def steps(client: Any) -> AsyncGenerator[list[str]]:
        yield await asked(client)

    async def through(client: Any) -> list[str]:
        if how == "decorator":
            return await door(asked)(client)
        if how == "decorated generator":
            return [answer async for answers in door(steps)(client) for answer in answers]
        if how == "async block":
            async with door:
                return await asked(client)
        with door:
            return await asked(client)

    async def everybody() -> list[list[str]]:
        async with CALLERS[1].client(canary.url) as client:
            return await asyncio.gather(*(through(client) for _ in range(8)))

    assert asyncio.run(everybody()) == [["Reply 1 to: hi", "Reply 2 to: hi"]] * 8
    assert current_session() is None


def test_a_door_may_be_gone_through_inside_of_itself(empty: Path) -> None:
    """A decorated function may call itself."""

    @use_cassette(empty)
    def deep(levels: int) -> list[Session]:
        return [session_here(), *(deep(levels - 1) if levels else [])]

    sessions = deep(3)

    assert len({id(session) for session in sessions}) == 4
    assert all(session.ended for session in sessions)
    assert current_session() is None
