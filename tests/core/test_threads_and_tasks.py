"""Threads and tasks that record into one session at once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask, said
from tests.conftest import Canary
from tests.core.forking import answered, kept
from tests.core.recording import SYNC, UPDATE, asking

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

_THREADS = 16
_TASKS = 16


@pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_sixteen_threads_and_as_many_tasks_record_into_one_session(
    rounds: int, mode: str, *, provider: Provider, canary: Canary, place: Path
) -> None:
    """Every answer is kept under a number of its own; those of one caller replay in its order."""
    answers: list[str] = []

    async def asked(number: int) -> None:
        async with CALLERS[1].client(provider.url) as client:
            for text in ["same", f"of task {number}"] * rounds:
                answers.append(said(await ask(client, text)))  # noqa: PERF401  each as it comes

    async def tasks() -> None:
        await asyncio.gather(*(asked(number) for number in range(_TASKS)))

    with intercept.use_cassette(place, mode=mode), ThreadPoolExecutor(_THREADS + 1) as pool:
        work = [pool.submit(asyncio.run, tasks())]
        for number in range(_THREADS):
            texts = ["same", f"of thread {number}"] * rounds
            work.append(pool.submit(answered, answers.append, provider.url, *texts))
        for done in work:
            done.result()

    assert sorted(kept(place)) == sorted(answers)
    assert len(answers) == provider.hits == 2 * rounds * (_THREADS + _TASKS)
    with intercept.use_cassette(place):
        again = SYNC.run(asking(*[f"of thread {_THREADS - 1}"] * rounds), SYNC.client(canary.url))
    assert again == [answer for answer in answers if answer.endswith(f"of thread {_THREADS - 1}")]
