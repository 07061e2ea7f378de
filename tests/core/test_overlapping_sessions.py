"""Sessions inside of each other, left out of order, or in tasks and threads of their own."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import shipped


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_nested_sessions_the_inner_wins_and_the_outer_resumes(
    caller: Caller, provider: Provider, played: Path, tmp_path: Path
) -> None:
    """Each session counts its own calls; an `off` session inside lets its calls go live."""
    client = caller.client(provider.url)
    inner_path = tmp_path / "inner.jsonl"

    async def scenario(client: Any) -> list[str]:
        with intercept.use_cassette(inner_path, mode="record"):
            await ask(client)
        got: list[str] = []
        with intercept.use_cassette(played) as outer:
            got.append(said(await ask(client)))
            with intercept.use_cassette(inner_path) as inner:
                got.append(said(await ask(client)))
            with intercept.use_cassette(inner_path, mode="off"):
                got.append(said(await ask(client)))
            with pytest.raises(ZeroDivisionError), intercept.use_cassette(inner_path):
                raise ZeroDivisionError
            got.append(said(await ask(client)))
        assert (len(outer.calls), len(inner.calls)) == (2, 1)
        return got

    first = 1 if caller.sdk == "openai" else 3
    assert caller.run(scenario, client) == [f"Reply {number} to: hi" for number in (first, 5, 6, first + 1)]


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_sessions_left_out_of_order(caller: Caller, played: Path, tmp_path: Path) -> None:
    """The outer one ends first: the inner one goes on, and at its end nothing is left."""
    outer, inner = intercept.use_cassette(played), intercept.use_cassette(played)
    before = shipped()
    outer.__enter__()
    session = inner.__enter__()
    outer.__exit__(None, None, None)

    caller.run(ask, caller.client("http://127.0.0.1:9"))
    inner.__exit__(None, None, None)

    assert len(session.calls) == 1
    assert shipped() == before
    assert intercept.current_session() is None


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
def test_a_session_entered_and_left_in_different_tasks(caller: Caller, played: Path) -> None:
    """As asynchronous fixtures do; the task between was started in neither."""
    door = intercept.use_cassette(played)
    before = shipped()

    async def whole() -> int:
        session = await asyncio.create_task(door.__aenter__())
        client = caller.client("http://127.0.0.1:9")
        await asyncio.create_task(ask(client))
        await asyncio.create_task(door.__aexit__(None, None, None))
        await client.close()
        return len(session.calls)

    # Equal requests of the synchronous and the asynchronous client are one request.
    assert asyncio.run(whole()) == 1
    assert shipped() == before


def test_two_unrelated_sessions_refuse_work_from_before_both(played: Path) -> None:
    """Work that began before any session cannot know which of two unrelated ones it belongs to."""
    both, go_on = threading.Barrier(3), threading.Event()
    caught: list[BaseException] = []

    def holding() -> None:
        with intercept.use_cassette(played):
            both.wait(10)
            go_on.wait(10)

    threads = [threading.Thread(target=holding) for _ in range(2)]
    for thread in threads:
        thread.start()
    both.wait(10)
    try:
        CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
    except intercept.ConfigError as error:
        caught.append(error)
    finally:
        go_on.set()
        for thread in threads:
            thread.join()

    assert "several unrelated ones are active" in str(caught[0])
