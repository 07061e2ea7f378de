"""The mode `update` within one test run: the first to ask something replaces what was there, later ones add."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from tests.conftest import Canary
from tests.core.either_layout import exchanges, play
from tests.core.recording import SYNC, asking

Begin = Callable[[str], None]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Begin:
    """Begin one test after another, in one run."""
    run = runs.Run(root=tmp_path)

    def begin(name: str) -> None:
        monkeypatch.setattr(runs, "current", run)
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"test_it.py::{name} (call)")
        run.begin(f"test_it.py::{name}")

    return begin


@pytest.fixture
def recorded(begin: Begin, provider: Provider, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A cassette of an earlier run: two tests asked `a`, one of them `b` too."""
    run = runs.Run(root=tmp_path)
    for name, texts in (("test_one", "ab"), ("test_two", "a")):
        monkeypatch.setattr(runs, "current", run)
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"test_it.py::{name} (call)")
        play(named, "record", provider.url, *texts)
    assert sorted(exchanges(named)) == [("a", 0, "Reply 1 to: a"), ("a", 1, "Reply 3 to: a"), ("b", 0, "Reply 2 to: b")]
    return named


@pytest.mark.parametrize("again", [False, True], ids=["another test", "the same test"])
def test_later_sessions_of_a_run_add_to_what_it_recorded(
    begin: Begin, recorded: str, provider: Provider, canary: Canary, *, again: bool
) -> None:
    """The first replaces all rows of a request, whoever recorded them; what nobody asks stays."""
    begin("test_one")
    play(recorded, "update", provider.url, "a")
    if not again:
        begin("test_two")
    play(recorded, "update", provider.url, "a", "c")

    assert sorted(exchanges(recorded)) == [
        ("a", 0, "Reply 4 to: a"),
        ("a", 1, "Reply 5 to: a"),
        ("b", 0, "Reply 2 to: b"),
        ("c", 0, "Reply 6 to: c"),
    ]
    begin("test_one")
    assert play(recorded, "replay", canary.url, "b", "a") == ["Reply 2 to: b", "Reply 4 to: a"]
    if not again:
        begin("test_two")
    assert play(recorded, "replay", canary.url, "a", "c") == ["Reply 5 to: a", "Reply 6 to: c"]


def test_what_the_first_of_three_recorded_stays(begin: Begin, recorded: str, provider: Provider) -> None:
    """Also where the second asked something else."""
    for name, text in (("test_one", "a"), ("test_two", "b"), ("test_three", "a")):
        begin(name)
        play(recorded, "update", provider.url, text)

    assert sorted(exchanges(recorded)) == [
        ("a", 0, "Reply 4 to: a"),
        ("a", 1, "Reply 6 to: a"),
        ("b", 0, "Reply 5 to: b"),
    ]


def test_a_failed_session_of_a_run_drops_its_own_rows_alone(begin: Begin, recorded: str, provider: Provider) -> None:
    """What was updated before it stays; what it asked alone is as it was before the run."""
    begin("test_one")
    play(recorded, "update", provider.url, "a")
    begin("test_two")

    def failing() -> None:
        with intercept.use_cassette(recorded, mode="update"):
            SYNC.run(asking("a", "b"), SYNC.client(provider.url))
            raise ValueError("no")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            failing()

    assert sorted(exchanges(recorded)) == [("a", 0, "Reply 4 to: a"), ("b", 0, "Reply 2 to: b")]


def test_an_update_after_a_recording_of_the_same_run_adds(begin: Begin, recorded: str, provider: Provider) -> None:
    """A recording of the whole has made everything new: there is nothing left to replace."""
    begin("test_one")
    play(recorded, "record", provider.url, "a", "b")
    begin("test_two")
    play(recorded, "update", provider.url, "a")

    assert sorted(exchanges(recorded)) == [
        ("a", 0, "Reply 4 to: a"),
        ("a", 1, "Reply 6 to: a"),
        ("b", 0, "Reply 5 to: b"),
    ]


def test_a_recording_after_an_update_of_the_same_run_keeps_what_that_recorded(
    begin: Begin, recorded: str, provider: Provider
) -> None:
    """And nothing else: the rows of earlier runs go."""
    begin("test_one")
    play(recorded, "update", provider.url, "a")
    begin("test_two")
    play(recorded, "record", provider.url, "a", "c")

    assert sorted(exchanges(recorded)) == [
        ("a", 0, "Reply 4 to: a"),
        ("a", 1, "Reply 5 to: a"),
        ("c", 0, "Reply 6 to: c"),
    ]
