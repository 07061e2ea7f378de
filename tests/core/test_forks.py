"""Processes that are forked while a recording goes on: it is one recording, of the parent and of its children."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask, said
from tests.core.children import PATIENCE, Child, Report, barrier, ended_well
from tests.core.forking import answered, forked, kept, wait_for
from tests.core.recording import UPDATE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

every_mode = pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
how_often = pytest.mark.parametrize("times", [1, pytest.param(20, marks=pytest.mark.slow)])


def _leaving_each(report: Report, path: Path, mode: str, url: str, before: tuple[str, ...]) -> None:
    """Fork three times; each process leaves the block by itself, the parent last."""
    with intercept.use_cassette(path, mode=mode):
        answered(report, url, *before)
        children: list[int] = []
        for number in range(3):
            child = os.fork()
            if child == 0:
                answered(report, url, "same", f"of child {number}", "same")
                break
            children.append(child)
        else:
            answered(report, url, "same", "of the parent")
            wait_for(*children)


@every_mode
@pytest.mark.parametrize("before", [(), ("before", "same")], ids=["first", "later"])
def test_rows_of_a_parent_and_its_children_are_all_kept(
    before: tuple[str, ...], mode: str, provider: Provider, place: Path
) -> None:
    """Whoever makes the first call. A child that leaves the block takes nothing with it."""
    (answers,) = ended_well(Child(_leaving_each, place, mode, provider.url, before))

    assert sorted(kept(place)) == sorted(answers)
    assert len(answers) == provider.hits == 11 + len(before)
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def _all_at_once(report: Report, path: Path, mode: str, url: str, together: Barrier) -> None:
    with intercept.use_cassette(path, mode=mode):
        children: list[int] = []
        for number in range(together.parties):
            child = os.fork()
            if child == 0:
                together.wait(PATIENCE)
                answered(report, url, "same", f"of child {number}")
                os._exit(0)
            children.append(child)
        wait_for(*children)


@every_mode
@how_often
def test_children_that_make_the_first_calls_all_at_once_lose_nothing(
    times: int, mode: str, provider: Provider, tmp_path: Path
) -> None:
    """Each finds no file yet; only one can make it. The parent asks nothing, and is not told that nobody did."""
    for number in range(times):
        path = tmp_path / f"{number}.jsonl"
        (answers,) = ended_well(Child(_all_at_once, path, mode, provider.url, barrier(8)))
        assert sorted(kept(path)) == sorted(answers)
        assert len(answers) == 16


def _beside_threads(report: Report, path: Path, mode: str, url: str) -> None:
    stop = threading.Event()

    def asking_on(number: int) -> None:
        while not stop.is_set():
            answered(report, url, f"of thread {number}", "same")

    with intercept.use_cassette(path, mode=mode):
        threads = [threading.Thread(target=asking_on, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        children = [forked(report, url, "same", f"of child {number}") for number in range(4)]
        wait_for(*children)
        stop.set()
        for thread in threads:
            thread.join()


@every_mode
@how_often
def test_a_fork_while_threads_record_loses_nothing(times: int, mode: str, provider: Provider, tmp_path: Path) -> None:
    """The child has none of these threads, and waits for none of their locks."""
    for number in range(times):
        path = tmp_path / f"{number}.jsonl"
        (answers,) = ended_well(Child(_beside_threads, path, mode, provider.url))
        assert sorted(kept(path)) == sorted(answers)


def _beside_tasks(report: Report, path: Path, mode: str, url: str) -> None:
    async def asked(number: int) -> None:
        async with CALLERS[1].client(url) as client:
            for text in ("same", f"of task {number}", "same"):
                report(said(await ask(client, text)))

    async def whole() -> None:
        tasks = [asyncio.create_task(asked(number)) for number in range(8)]
        children: list[int] = []
        for number in range(3):
            await asyncio.sleep(0.01)
            children.append(forked(report, url, "same", f"of child {number}"))
        await asyncio.gather(*tasks)
        wait_for(*children)

    with intercept.use_cassette(path, mode=mode):
        asyncio.run(whole())


@every_mode
def test_a_fork_while_tasks_record_loses_nothing(mode: str, provider: Provider, cassette: Path) -> None:
    """Their exchanges end in the parent alone."""
    (answers,) = ended_well(Child(_beside_tasks, cassette, mode, provider.url))

    assert sorted(kept(cassette)) == sorted(answers)
    assert len(answers) == provider.hits == 30


def _by_multiprocessing(report: Report, path: Path, mode: str, url: str) -> None:
    context = multiprocessing.get_context("fork")
    with intercept.use_cassette(path, mode=mode):
        processes = [context.Process(target=answered, args=(report, url, "same", f"of {n}")) for n in range(2)]
        for process in processes:
            process.start()
        with context.Pool(2) as pool:
            for answers in pool.starmap(_in_pool, [(url, f"of work {number}") for number in range(4)]):
                for answer in answers:
                    report(answer)
        for process in processes:
            process.join()


def _in_pool(url: str, text: str) -> list[str]:
    answers: list[str] = []
    answered(answers.append, url, text, "same")
    return answers


@every_mode
def test_what_multiprocessing_forks_records_too(mode: str, provider: Provider, place: Path) -> None:
    """Its processes, and its pools, whose workers are ended in the middle of nothing."""
    (answers,) = ended_well(Child(_by_multiprocessing, place, mode, provider.url))

    assert sorted(kept(place)) == sorted(answers)
    assert len(answers) == provider.hits == 12
