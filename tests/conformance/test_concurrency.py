"""Many calls at once: every caller gets its own answer back."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import Canary

SYNC = [caller for caller in CALLERS if not caller.is_async]
ASYNC = [caller for caller in CALLERS if caller.is_async]

# Eight identical calls on a new client; the answers to the last are given first. Prints who got which answer.
_EIGHT = textwrap.dedent(
    """
    import asyncio, json, sys, threading
    import intercept
    from tests.conformance.callers import CALLERS, ask, said
    from intercept.loopback import Provider

    caller = next(caller for caller in CALLERS if str(caller) == sys.argv[1])
    mode, cassette, rounds = sys.argv[2], sys.argv[3], int(sys.argv[4])

    async def eight(client):
        return [said(reply) for reply in await asyncio.gather(*(ask(client) for _ in range(8)))]

    def answer_in_reverse(provider, hold):
        hold.wait(8, timeout=30)
        for held in reversed(provider.held):
            held.release()
        hold.open()

    def record(path):
        with Provider() as provider, provider.hold() as hold:
            releasing = threading.Thread(target=answer_in_reverse, args=(provider, hold))
            releasing.start()
            with intercept.use_cassette(path, mode="record"):
                got = caller.run(eight, caller.client(provider.url))
            releasing.join()
        return got

    def replay(path):
        with intercept.use_cassette(path):
            return caller.run(eight, caller.client("http://127.0.0.1:9", key=None))

    run = record if mode == "record" else replay
    print(json.dumps([run(f"{cassette}-{number}.jsonl") for number in range(rounds)]))
    """
)


def _eight(caller: Caller, mode: str, cassette: Path, rounds: int) -> Any:
    command = [sys.executable, "-c", _EIGHT, str(caller), mode, str(cassette), str(rounds)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("rounds", [2, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_eight_identical_calls_answered_in_reverse_replay_each_to_its_own_caller(
    caller: Caller, rounds: int, tmp_path: Path
) -> None:
    """Numbered when they are sent, not when they are answered; recorded and replayed in processes of their own."""
    recorded = _eight(caller, "record", tmp_path / "eight", rounds)
    replayed = _eight(caller, "replay", tmp_path / "eight", rounds)

    assert replayed == recorded
    assert [sorted(answers) for answers in recorded] == [[f"Reply {number} to: hi" for number in range(1, 9)]] * rounds


@pytest.mark.slow
@pytest.mark.parametrize("caller", ASYNC, ids=str)
@pytest.mark.parametrize("attempt", range(20))
def test_eight_identical_calls_are_each_the_first_of_a_fresh_process(
    caller: Caller, attempt: int, tmp_path: Path
) -> None:
    """The first calls of a process take other ways through an SDK than later ones."""
    recorded = _eight(caller, "record", tmp_path / "eight", rounds=1)

    assert _eight(caller, "replay", tmp_path / "eight", rounds=1) == recorded


@pytest.mark.parametrize("caller", ASYNC, ids=str)
def test_two_hundred_concurrent_calls(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Half of them the same question, half each its own."""

    async def many(client: Any) -> list[str]:
        questions = ["hi" if number % 2 else f"question {number}" for number in range(200)]
        return [said(reply) for reply in await asyncio.gather(*(ask(client, text) for text in questions))]

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(many, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(many, caller.client(canary.url, key=None))

    assert replayed == recorded
    assert provider.hits == len(session.calls) == 200


def _ask(caller: Caller, client: Any, text: str) -> str:
    return said(asyncio.run(_settled(ask(client, text)))) if not caller.is_async else ""


async def _settled(asked: Any) -> Any:
    return await asked


@pytest.mark.parametrize("caller", [SYNC[0], pytest.param(SYNC[1], marks=pytest.mark.slow)], ids=str)
def test_thirty_two_threads_on_one_client(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Each thread asks its own question ten times, and gets its own ten answers in order."""

    def work(url: str) -> dict[int, list[str]]:
        client = caller.client(url, key=None if url == canary.url else "k" * 20)
        got: dict[int, list[str]] = {}

        def one(number: int) -> None:
            got[number] = [_ask(caller, client, f"question {number}") for _ in range(10)]

        threads = [threading.Thread(target=one, args=(number,)) for number in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.close()
        return got

    with intercept.use_cassette(cassette, mode="record"):
        recorded = work(provider.url)
    with intercept.use_cassette(cassette) as session:
        replayed = work(canary.url)

    assert len(recorded) == 32
    assert replayed == recorded
    assert provider.hits == len(session.calls) == 320


@pytest.mark.parametrize("caller", SYNC, ids=str)
def test_a_pool_made_before_two_sessions_serves_each_its_own(
    caller: Caller, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """A worker that has served one session serves the next, and work from outside goes to the provider."""
    with ThreadPoolExecutor(4) as pool:
        client = caller.client(provider.url)
        barrier = threading.Barrier(4)
        wait([pool.submit(barrier.wait) for _ in range(4)])  # all four workers exist before any session

        def asked(count: int) -> list[str]:
            return sorted(pool.map(partial(_ask, caller, client), ["hi"] * count))

        with intercept.use_cassette(tmp_path / "one.jsonl", mode="record"):
            one = asked(3)
        with intercept.use_cassette(tmp_path / "two.jsonl", mode="record"):
            two = asked(2)
        with intercept.use_cassette(tmp_path / "one.jsonl") as session:
            one_again = asked(3)
        with intercept.use_cassette(tmp_path / "two.jsonl"):
            two_again = asked(2)
        outside = asked(1)
        client.close()

    assert one == one_again == [f"Reply {number} to: hi" for number in (1, 2, 3)]
    assert two == two_again == [f"Reply {number} to: hi" for number in (4, 5)]
    assert outside == ["Reply 6 to: hi"]
    assert len(session.calls) == 3


@pytest.mark.parametrize("caller", SYNC, ids=str)
def test_a_pool_started_by_a_session_outlives_it(caller: Caller, provider: Provider, tmp_path: Path) -> None:
    """Its workers were started under the first session; work of the second is the second's."""
    client = caller.client(provider.url)
    with ThreadPoolExecutor(2) as pool:
        with intercept.use_cassette(tmp_path / "one.jsonl", mode="record") as first:
            pool.submit(_ask, caller, client, "hi").result()
        with intercept.use_cassette(tmp_path / "two.jsonl", mode="record") as second:
            pool.submit(_ask, caller, client, "hi").result()
        pool.submit(_ask, caller, client, "hi").result()
        client.close()

    assert len(first.calls) == len(second.calls) == 1
    assert provider.hits == 3


@pytest.mark.parametrize("caller", SYNC, ids=str)
def test_a_thread_that_outlives_its_session_never_gets_anothers_cassette(
    caller: Caller, provider: Provider, tmp_path: Path
) -> None:
    """Its next call under another session is refused with a clear error, and nothing is sent."""
    client = caller.client(provider.url)
    go_on = threading.Event()
    caught: list[BaseException] = []

    def late() -> None:
        go_on.wait(30)
        try:
            _ask(caller, client, "hi")
        except intercept.ConfigError as error:
            caught.append(error)

    with intercept.use_cassette(tmp_path / "one.jsonl", mode="record"):
        _ask(caller, client, "hi")
        thread = threading.Thread(target=late)
        thread.start()
    with intercept.use_cassette(tmp_path / "one.jsonl"):
        go_on.set()
        thread.join()
    client.close()

    assert "began under a session that is over" in str(caught[0])
    assert provider.hits == 1
