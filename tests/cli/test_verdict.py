"""The demo's own honesty: what is not as promised is told, and the exit code says so."""

from __future__ import annotations

import functools
import os
import socket
import urllib.request
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from intercept import modes
from intercept.cli.command import command
from intercept_demo import agent, play
from intercept_demo.compare import difference
from intercept_demo.environment import CREDENTIALS, environment
from intercept_demo.offline import cut_off
from intercept_demo.steps import STEPS, Models, Step

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result


class One(BaseModel):
    """An object."""

    values: list[int]


class Other(One):
    """An object of another type with the same content."""


@pytest.fixture
def demo_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `intercept demo` in this process, with other steps."""

    def run(*steps: Step) -> Result:
        monkeypatch.setattr(modes, "override", None)
        monkeypatch.setattr(play, "play", functools.partial(play.play, steps=steps))
        return CliRunner().invoke(command, ["demo", "--cassette", str(tmp_path / "demo.jsonl")])

    return run


def _varied(step: Step, change: Callable[[agent.Got], agent.Got]) -> Step:
    return Step(step.title, step.method, lambda models: change(step.run(models)))


def test_an_application_that_differs_from_run_to_run_is_told(demo_of: Callable[..., Result]) -> None:
    """A text that is not the recorded one is shown beside it, and the exit code is 1."""
    runs = count(1)

    result = demo_of(_varied(STEPS[0], lambda got: replace(got, text=f"run {next(runs)}")))

    assert result.exit_code == 1
    assert "DIFFERENT" in result.stdout
    assert "Not as promised:\n  Tool loop: text: 'run 1', then 'run 2'\n" in result.stdout


def test_a_miss_is_told_as_the_step_that_met_it(demo_of: Callable[..., Result]) -> None:
    """A replay that asks something else gets nothing, and the demo goes on to say so."""
    cities = iter(["Lisbon", "Oslo"])

    def ask(models: Models) -> agent.Got:
        return agent.advise(models.openai, next(cities))

    result = demo_of(Step("Wandering", "openai", ask))

    assert result.exit_code == 1
    assert "  Wandering: the replay failed: NeverRecorded: openai POST /chat/completions has no reply" in result.stdout


def test_a_replay_that_reaches_for_the_network_is_told(demo_of: Callable[..., Result]) -> None:
    """Even an attempt that the application swallows counts."""

    def fetch(got: agent.Got) -> agent.Got:
        if "OPENAI_API_KEY" not in os.environ:
            with pytest.raises(OSError, match="cut this process off"):
                urllib.request.urlopen("http://127.0.0.1:9/")
        return got

    result = demo_of(_varied(STEPS[0], fetch))

    assert result.exit_code == 1
    assert "the replay tried to reach the network: getaddrinfo 127.0.0.1" in result.stdout


def test_the_process_is_as_before_afterwards(demo_of: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment and sockets are put back, the very objects."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "mine" * 10)
    monkeypatch.setenv("INTERCEPT_MODE", "off")
    before = dict(os.environ), dict(vars(socket.socket)), dict(vars(socket))

    result = demo_of(*STEPS)

    assert result.exit_code == 0
    assert (dict(os.environ), dict(vars(socket.socket)), dict(vars(socket))) == before


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (One(values=[1]), One(values=[1]), None),
        (One(values=[1]), Other(values=[1]), "x: One, then Other"),
        (One(values=[1, 2]), One(values=[1, 3]), "x.values[1]: 2, then 3"),
        ({"a": 1, "b": None}, {"a": 1, "c": 2}, "x.c: NoneType, then int"),
        ((1,), (1, 2), "x: 1 of them, then 2"),
        (1, True, "x: int, then bool"),
    ],
)
def test_the_first_difference_is_named(one: object, other: object, told: str | None) -> None:
    """Values are compared by type and content, however deep."""
    assert difference("x", one, other) == told


def _ways_out(one: socket.socket) -> dict[str, Callable[[], object]]:
    return {
        "connect": lambda: one.connect(("127.0.0.1", 9)),
        "connect_ex": lambda: one.connect_ex(("127.0.0.1", 9)),
        "create_connection": lambda: socket.create_connection(("localhost", 9)),
        "getaddrinfo": lambda: socket.getaddrinfo("localhost", 9),
    }


@pytest.mark.parametrize("way", ["connect", "connect_ex", "create_connection", "getaddrinfo"])
def test_every_way_out_is_shut_and_counted(way: str) -> None:
    """No name is looked up and no socket connected, however it is tried."""
    with socket.socket() as one, cut_off() as attempts, pytest.raises(OSError, match="cut this process off"):
        _ways_out(one)[way]()

    assert len(attempts) == 1


def test_an_environment_comes_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was taken away, changed or added is as before."""
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "t")
    before = dict(os.environ)
    seen: dict[str, str] = {}

    with pytest.raises(KeyError), environment(without=CREDENTIALS, having={"PATH": "", "ADDED": "1"}):
        raise KeyError(seen.update(os.environ))

    assert ("ANTHROPIC_AUTH_TOKEN" in seen, seen["PATH"], seen["ADDED"]) == (False, "", "1")
    assert dict(os.environ) == before
