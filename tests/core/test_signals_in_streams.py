"""Programs that are interrupted, or end, in a stream: what had ended is kept, and nothing half is served."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import Caller, ask, items, said
from tests.conftest import Canary
from tests.core.children import Child, Report
from tests.core.dying import Countdown, points
from tests.core.programs import run
from tests.core.recording import SYNC, asking, every_caller, partial_file, record, replay

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

_EVENTS = 2
every_mode = pytest.mark.parametrize("mode", ["record", "extend"])
every_signal = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])


async def _streamed(client: Any, report: Report) -> None:
    report(said(await ask(client, "whole")))
    async for event in items(await ask(client, "half", stream=True)):
        report(type(event).__name__)


def _streaming(report: Report, path: Path, mode: str, url: str, *, caller: Caller) -> None:
    async def scenario(client: Any) -> None:
        await _streamed(client, report)

    with intercept.use_cassette(path, mode=mode):
        if caller.is_async:
            caller.run(scenario, caller.client(url))
        else:  # asyncio would keep the signal for itself
            scenario(caller.client(url)).send(None)


@every_signal
@every_mode
@every_caller
def test_an_interrupted_stream_keeps_what_had_ended(
    caller: Caller, mode: str, number: signal.Signals, *, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Ctrl-C keeps the events that came as well: they replay, and reading past them is a miss."""
    with provider.gate() as gate:
        gate.release(_EVENTS)
        child = Child(_streaming, cassette, mode, provider.url, caller=caller)
        before = [child.report() for _ in range(1 + _EVENTS)]
        child.send(number)
        rest = child.rest()
    place = cassette if mode == "extend" else partial_file(cassette)
    again: list[Any] = []

    async def scenario(client: Any) -> None:
        await _streamed(client, again.append)

    miss = intercept.Exhausted if number == signal.SIGINT else intercept.NeverRecorded
    with pytest.raises(miss), intercept.use_cassette(place):
        caller.run(scenario, caller.client(canary.url))

    assert (rest, child.ended) == ([], 1 if number == signal.SIGINT else -signal.SIGTERM)
    assert again == (before if number == signal.SIGINT else before[:1])
    assert cassette.exists() == (mode == "extend")


def _interrupted(report: Report, path: Path, mode: str, url: str, at: int | None) -> None:
    """Be interrupted at a line of the store, then record once more."""
    countdown = Countdown(signal.SIGINT, at)
    with contextlib.suppress(KeyboardInterrupt), intercept.use_cassette(path, mode=mode):
        countdown.start()
        for text in ("one", "two", "one"):
            for answer in SYNC.run(asking(text), SYNC.client(url)):
                report(answer)
    lines = countdown.stop()
    record(path.with_name("next.jsonl"), url, "next")
    record(path, url, "next", mode="extend")
    report(lines)


@every_mode
@pytest.mark.parametrize("times", [2, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_an_interrupt_at_any_line_of_ours_keeps_what_had_ended(
    times: int, mode: str, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """And lets go of every lock: the same program records on at once."""
    *_, lines = Child(_interrupted, tmp_path / "whole.jsonl", mode, provider.url, None).rest()

    for at in points(mode, times, lines):
        path = tmp_path / f"{at}.jsonl"
        child = Child(_interrupted, path, mode, provider.url, at)
        *answers, _ = child.rest()
        assert child.ended == 0, at
        left = partial_file(path)
        texts = ["one", "two", "one"][: len(answers)]
        assert replay(left if left.exists() else path, canary.url, *texts) == answers
        assert replay(path, canary.url, "next")


_LEAVING = """
    import asyncio, os, sys
    import intercept, openai

    way, path, mode = sys.argv[1:]
    messages = [{"role": "user", "content": "hi"}]
    door = intercept.use_cassette(path, mode=mode)
    door.__enter__()
    client = openai.OpenAI()
    client.chat.completions.create(model="gpt-4o", messages=messages)
    stream = client.chat.completions.create(model="gpt-4o", messages=messages, stream=True)
    next(iter(stream))

    async def streams():
        global other, asynchronous
        asynchronous = openai.AsyncOpenAI()
        other = await asynchronous.chat.completions.create(model="gpt-4o", messages=messages, stream=True)
        await other.__anext__()
        if way == "asynchronous":
            sys.exit(3)

    asyncio.run(streams())
    os._exit(3) if way == "at once" else sys.exit(3)
"""


@pytest.mark.parametrize(
    ("way", "mode"),
    [
        ("normal", "record"),
        pytest.param("normal", "extend", marks=pytest.mark.slow),
        pytest.param("at once", "record", marks=pytest.mark.slow),
        pytest.param("at once", "extend", marks=pytest.mark.slow),
        pytest.param("asynchronous", "record", marks=pytest.mark.slow),
        pytest.param("asynchronous", "extend", marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_a_program_that_ends_with_streams_open_and_its_session_never_left(
    way: str, mode: str, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """It does not hang, and what had ended is kept; whether Python crashes then is up to Python, and some do."""
    path = tmp_path / "x.jsonl"
    place = path if mode == "extend" else partial_file(path)

    run(tmp_path, _LEAVING, way, str(path), mode, OPENAI_BASE_URL=f"{provider.url}/v1", OPENAI_API_KEY="none")

    assert replay(place, canary.url, "hi") == ["Reply 1 to: hi"]
    assert intercept.validate(place) == []
