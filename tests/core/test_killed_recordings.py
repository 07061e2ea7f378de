"""A recording that is killed: every exchange that had ended is there, takes its place, and the next one goes on."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.cassette.layouts import Layout, layout_of
from intercept.cassette.lines import LineLayout
from intercept.loopback import Provider
from intercept.paths import Location
from intercept.rescue import rescue
from tests.conformance.callers import CALLERS, Caller, ask, each
from tests.conformance.outcomes import seen
from tests.conftest import Canary
from tests.core.children import Child, Report, ended_well
from tests.core.dying import Countdown, points
from tests.core.recording import UPDATE, record

pytestmark = pytest.mark.usefixtures("no_run")

_TEXTS = ["one", "two", "one", "three", "one", "two"]
every_mode = pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
every_layout = pytest.mark.parametrize("name", ["x.jsonl", "x"], ids=["file", "folder"])
how_often = pytest.mark.parametrize("times", [1, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])


@every_mode
@every_layout
@how_often
def test_a_recording_killed_at_any_line_of_ours_keeps_what_had_ended(
    times: int, name: str, mode: str, *, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """From the opening to the very end: what was answered replays, and the numbers of the next recording go on."""
    caller = CALLERS[0]
    _begin(tmp_path / "whole" / name, provider.url)
    ((*_, lines),) = ended_well(Child(_recording, tmp_path / "whole" / name, mode, provider.url, caller=caller))

    for at in points(name + mode, times, lines):
        path = _begin(tmp_path / str(at) / name, provider.url)
        child = Child(_recording, path, mode, provider.url, caller=caller, at=at)
        answers = child.rest()
        assert child.ended == -signal.SIGKILL, f"line {at} of {lines}"
        _check(path, answers, caller, provider=provider, canary=canary)


@every_mode
@how_often
@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
def test_a_recording_killed_at_any_moment_keeps_what_had_ended(
    caller: Caller, times: int, mode: str, *, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Also in the midst of an SDK's work, and of a stream."""
    chance = random.Random(mode)  # noqa: S311  no secret

    for number in range(times):
        path = _begin(tmp_path / str(number) / "x.jsonl", provider.url)
        child = Child(_recording, path, mode, provider.url, caller=caller)
        first = child.report()
        time.sleep(chance.uniform(0, 0.05))
        child.process.kill()
        answers = [first, *child.rest()]
        _check(path, answers[: len(_TEXTS)], caller, provider=provider, canary=canary)


def _begin(path: Path, url: str) -> Path:
    """Have a cassette with one row already."""
    (path.parent if path.suffix else path).mkdir(parents=True)
    record(path, url, "old")
    return path


def _recording(report: Report, path: Path, mode: str, url: str, *, caller: Caller, at: int | None = None) -> None:
    """Record, and report each answer as it has ended; kill this process at a line of the store."""
    countdown = Countdown(signal.SIGKILL, at)

    async def scenario(client: Any) -> None:
        await _asked(client, report, *_TEXTS)

    countdown.start()
    with intercept.use_cassette(path, mode=mode):
        caller.run(scenario, caller.client(url))
    report(countdown.stop())


async def _asked(client: Any, report: Report, *texts: str) -> None:
    """Ask each question, every second one for a stream."""
    for number, text in enumerate(texts):
        reply = await ask(client, text, stream=bool(number % 2))
        report(seen(await each(reply) if number % 2 else reply))


def _check(path: Path, answers: list[Any], caller: Caller, *, provider: Provider, canary: Canary) -> None:
    """See that these answers are on the disk, are put in their place, and that a recording may go on there."""
    layout = layout_of(Location(path, folder=path.is_dir()))
    if layout.partial.exists() and layout.partial.stat().st_size:
        assert sum(map(len, _numbers(LineLayout(layout.partial)).values())) >= len(answers)
        rescue(path)
    again: list[Any] = []

    async def scenario(client: Any) -> None:
        await _asked(client, again.append, *_TEXTS[: len(answers)])

    with intercept.use_cassette(path):
        caller.run(scenario, caller.client(canary.url))
    before = _numbers(layout)
    record(path, provider.url, *["one"] * 4, mode="extend")
    after = _numbers(layout)

    assert again == answers
    assert {key: numbers[: len(before.get(key, []))] for key, numbers in after.items() if key in before} == before
    assert not answers or not layout.partial.exists()


def _numbers(layout: Layout) -> dict[Any, list[int | None]]:
    """Return the numbers of all rows, by what was asked, in the order of serving."""
    cassette = layout.read()
    cassette.close()
    return {key: [place.occurrence for place in group] for key, group in cassette.groups.items()}
