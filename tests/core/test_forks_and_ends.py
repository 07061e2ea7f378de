"""A recording that ends for its parent while forked children are at work, or after they were."""

from __future__ import annotations

import contextlib
import os
import time
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import openai
import pytest

import intercept
from intercept.cassette import exclusive
from intercept.cassette.lines import LineLayout
from intercept.loopback import Provider
from tests.conformance.callers import ask
from tests.core.children import PATIENCE, Child, Report, ended_well, event
from tests.core.forking import answered, forked, kept, wait_for
from tests.core.recording import OLD, SYNC, UPDATE, partial_file

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

_OVER = "the recording has ended before this process"
every_mode = pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])


def _with_an_orphan(report: Report, path: Path, mode: str, url: str, over: Event, *, before: bool) -> None:
    """Fork a child that asks once its parent's recording is over; it may have asked before."""
    ready, told = os.pipe()
    with contextlib.ExitStack() as stack:
        stack.enter_context(intercept.use_cassette(path, mode=mode))
        answered(report, url, "of the parent")
        child = os.fork()
        if child == 0:
            answered(report, url, *["of the child"] * before)
            os.write(told, b"!")
            over.wait(PATIENCE)
            with pytest.raises(intercept.CassetteError, match=_OVER) as caught:
                answered(report, url, "too late")
            report(str(caught.value))
            with pytest.raises(intercept.NotVerified, match=_OVER):
                stack.close()
            os._exit(0)
        os.read(ready, 1)
    over.set()
    wait_for(child)


@every_mode
@pytest.mark.parametrize("before", [True, False], ids=["asked before", "not yet"])
def test_a_child_that_outlives_the_recording_is_told_so(
    mode: str, provider: Provider, place: Path, *, before: bool
) -> None:
    """By an error of ours, before anything is sent; and the cassette stays as its parent left it."""
    ((*answers, error),) = ended_well(Child(_with_an_orphan, place, mode, provider.url, event(), before=before))

    assert sorted(kept(place)) == sorted(answers)
    assert len(answers) == provider.hits == 1 + before
    assert str(place.parent) in error
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def _in_the_middle(report: Report, path: Path, mode: str, url: str, *, go: Event, end: Event) -> None:
    """End a recording while a child waits for its answer."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(intercept.use_cassette(path, mode=mode))
        answered(report, url, "of the parent")
        child = os.fork()
        if child == 0:
            go.wait(PATIENCE)
            answered(report, url, "in the middle")
            with pytest.raises(intercept.NotVerified) as caught:
                stack.close()
            report(str(caught.value))
            os._exit(0)
        end.wait(PATIENCE)
    report("over")
    wait_for(child)


def _in_the_middle_of_its_end(report: Report, path: Path, mode: str, url: str, *, go: Event, end: Event) -> None:
    """Let the answer come at the very moment when the parent puts the rows in their place."""
    settle = getattr(exclusive, "settle")  # noqa: B009  it is imported there from elsewhere

    def slow(*args: Any, **kwargs: Any) -> None:
        report("over")
        time.sleep(0.2)
        settle(*args, **kwargs)

    setattr(exclusive, "settle", slow)  # noqa: B010  likewise
    _in_the_middle(report, path, mode, url, go=go, end=end)


@pytest.mark.parametrize(
    ("program", "mode"),
    [(_in_the_middle, mode) for mode in ("record", "update", "extend")] + [(_in_the_middle_of_its_end, "record")],
)
def test_a_child_whose_call_ends_after_the_recording_has_its_answer(
    program: Any, mode: str, provider: Provider, place: Path
) -> None:
    """The row has no place any more: that is told at the child's end, and nothing is spoilt."""
    go, end = event(), event()
    child = Child(program, place, mode, provider.url, go=go, end=end)
    first = child.report()
    with provider.hold() as hold:
        go.set()
        hold.wait(1, PATIENCE)
        end.set()
        assert child.report() == "over"
    answer, error = [report for report in child.rest() if report != "over"]

    assert child.ended == 0
    assert kept(place) == [first]
    assert answer == "Reply 2 to: in the middle"
    assert f"POST /chat/completions could not be written: {_OVER}" in error
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def _failing(report: Report, path: Path, mode: str, url: str) -> None:
    """Fail after a child has recorded; nobody answered its own call."""
    with intercept.use_cassette(path, mode=mode):
        wait_for(forked(report, url, "of a child", "same"))
        with pytest.raises(openai.APIConnectionError):
            SYNC.run(ask, SYNC.client("http://127.0.0.1:9", max_retries=0))
        raise ValueError("no")


@pytest.mark.parametrize("mode", ["record", UPDATE])
def test_what_a_child_recorded_outlives_the_failure_of_its_parent(mode: str, provider: Provider, old: Path) -> None:
    """Beside the cassette, as what the parent itself recorded would."""
    child = Child(_failing, old, mode, provider.url)
    answers = child.rest()

    assert child.ended == 1
    assert old.read_bytes() == OLD
    assert len(LineLayout(partial_file(old)).read()) == len(answers) == 2
