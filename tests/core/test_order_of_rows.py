"""Rows stand in the order of the calls, so that the same code gives the same file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, said, settled
from tests.conftest import Canary
from tests.core.recording import every_caller, partial_file, questions, replay

pytestmark = pytest.mark.usefixtures("no_run")


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_rows_are_in_the_order_of_the_calls(sdk: str, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Answered in reverse they are written in reverse, and sorted at the end: the same code gives the same file."""
    caller = next(caller for caller in CALLERS if caller.is_async and caller.sdk == sdk)
    texts = [f"question {number}" for number in range(6)]
    partial: list[str] = []

    async def asked(client: Any) -> list[str]:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number, text in enumerate(texts):
                tasks.append(asyncio.ensure_future(ask(client, text)))
                await asyncio.to_thread(held.wait, number + 1)
            for one, task in zip(reversed(held), reversed(tasks), strict=True):
                one.release()
                await task
        partial.extend(questions(partial_file(cassette)))
        return [said(task.result()) for task in tasks]

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(asked, caller.client(provider.url))

    assert partial == texts[::-1]
    assert questions(cassette) == texts
    assert replay(cassette, canary.url, *texts, caller=caller) == recorded


def test_equal_requests_are_numbered_in_the_order_of_the_calls(provider: Provider, cassette: Path) -> None:
    """Whichever is answered first."""
    caller = CALLERS[1]

    async def asked(client: Any) -> None:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number in range(3):
                tasks.append(asyncio.ensure_future(ask(client, "same")))
                await asyncio.to_thread(held.wait, number + 1)
            for one, task in zip(reversed(held), reversed(tasks), strict=True):
                one.release()
                await task

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))

    rows = [json.loads(line) for line in cassette.read_bytes().splitlines()[1:]]
    answers = [row["events"][0]["json"]["choices"][0]["message"]["content"] for row in rows]
    assert [row["occurrence"] for row in rows] == [0, 1, 2]
    assert answers == ["Reply 1 to: same", "Reply 2 to: same", "Reply 3 to: same"]


async def _everything(client: Any) -> None:
    await ask(client, "plain")
    await each(await ask(client, "streamed", stream=True))
    await ask(client, "plain")
    await settled(client.models.list())


@every_caller
def test_recording_the_same_again_gives_the_same_bytes(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Against a provider that answers the same: no time, no random name, no order of a set gets into the file."""
    contents: list[bytes] = []
    for _ in range(2):
        provider.reset()
        with intercept.use_cassette(cassette, mode="record"):
            caller.run(_everything, caller.client(provider.url))
        contents.append(cassette.read_bytes())

    assert contents[0] == contents[1]
    assert contents[0].count(b"\n") == 5
