"""Adopting what a recording left behind: it takes its place as it would have at a clean end."""

from __future__ import annotations

import asyncio
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from intercept.rescue import rescue
from tests.conformance.callers import CALLERS, Caller, Scenario, ask
from tests.conftest import Canary
from tests.core.either_layout import everything, exchanges, failed_of, partial_of, play, quietly, rows_of
from tests.core.recording import SYNC, UPDATE, asking

pytestmark = pytest.mark.usefixtures("a_program")


def leave(named: str, mode: str, url: str, asked: Scenario, caller: Caller = SYNC) -> Path:
    """Record, and fail at the end; return what is left behind."""

    def failing() -> None:
        with intercept.use_cassette(named, mode=mode):
            caller.run(asked, caller.client(url))
            raise ValueError("no")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            failing()
    return partial_of(named)


def overtaking(provider: Provider) -> Scenario:
    """Return a scenario whose calls end in another order than they began."""

    async def asked(client: Any) -> None:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number, text in enumerate(["a", "same", "b", "same"]):
                tasks.append(asyncio.ensure_future(ask(client, text)))
                await asyncio.to_thread(held.wait, number + 1)
            for one, task in reversed([*zip(held, tasks, strict=True)]):
                one.release()
                await task

    return asked


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
def test_the_cassette_is_that_of_a_clean_end(caller: Caller, provider: Provider, named: str, tmp_path: Path) -> None:
    """In the order of the calls, though they ended in another; with numbers, and what the models can do."""
    clean = f"{tmp_path}/clean/{Path(named).name}" + "/" * named.endswith("/")
    with intercept.use_cassette(clean, mode="record"):
        caller.run(overtaking(provider), caller.client(provider.url))
    provider.reset()
    partial = leave(named, "record", provider.url, overtaking(provider), caller)
    waiting = [json.loads(line).get("occurrence") for line in partial.read_bytes().splitlines()[1:]]

    rescued = rescue(Path(named))

    assert waiting == [1, 0, 0, 0]
    assert (rescued.cassette, rescued.left, rescued.rows, rescued.others) == (Path(named), partial, 4, 0)
    assert everything(named) == everything(clean)
    assert caller.sdk == "anthropic" or all(row["caps"]["context_window"] for row in rows_of(named))


@pytest.mark.parametrize("by", ["cassette", "its file"])
@pytest.mark.parametrize("state", ["partial", "failed", "of another process"])
def test_it_is_found_by_the_cassette_or_by_its_own_path(
    by: str, state: str, provider: Provider, canary: Canary, named: str
) -> None:
    """Also once a later recording has moved it away, and where processes of one run had files of their own."""
    left = leave(named, "record", provider.url, asking("a", "b"))
    if state == "failed":
        quietly(named, "record", provider.url, "c")
        left = failed_of(named)
    elif state == "of another process":
        left = left.rename(left.with_name(left.name.replace("partial", "4711.partial").replace("..4711", ".4711")))

    rescued = rescue(Path(named) if by == "cassette" else left)

    assert (rescued.cassette, rescued.left) == (Path(named), left)
    assert not left.exists()
    assert play(named, "replay", canary.url, "a", "b") == ["Reply 1 to: a", "Reply 2 to: b"]
    assert len(everything(named)) == (1 if named.endswith(".jsonl") else 2)


def test_the_latest_is_taken_first(provider: Provider, named: str) -> None:
    """Then the one before it."""
    for text in "ab":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", intercept.InterceptWarning)
            leave(named, "record", provider.url, asking(text))

    found: list[Any] = []
    for _ in range(2):
        rescue(Path(named))
        found.append(exchanges(named))

    assert found == [[("b", 0, "Reply 2 to: b")], [("a", 0, "Reply 1 to: a")]]


@pytest.mark.parametrize(("mode", "stay"), [("record", 0), ("update", 3)])
def test_the_mode_says_what_gives_way(mode: str, stay: int, provider: Provider, named: str) -> None:
    """To `record` all that was there; to `update` what was asked again."""
    play(named, "record", provider.url, "a", "b", "c", "a")
    before = exchanges(named)
    leave(named, mode, provider.url, asking("b"))

    rescued = rescue(Path(named))

    new = ("b", 0, "Reply 5 to: b")
    assert rescued.others == stay
    assert exchanges(named) == ([new] if mode == "record" else [new if row[0] == "b" else row for row in before])


def test_rows_of_other_tests_stay(
    provider: Provider, named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A recording of tests gives way to its own tests' rows alone: others have recorded the cassette since."""
    for number, (name, texts) in enumerate([("one", "ab"), ("two", "ac"), ("three", "d")]):
        if number in {0, 2}:
            monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"test_it.py::{name} (call)")
        if name == "three":
            monkeypatch.setenv("PYTEST_CURRENT_TEST", "test_it.py::one (call)")
            leave(named, "record", provider.url, asking("a"))
        else:
            play(named, "record", provider.url, *texts)

    rescued = rescue(Path(named))

    assert (rescued.rows, rescued.others) == (1, 2)
    assert sorted((text, answer) for text, _, answer in exchanges(named)) == [
        ("a", "Reply 3 to: a"),
        ("a", "Reply 5 to: a"),
        ("c", "Reply 4 to: c"),
    ]
    assert sorted(row["test"] for row in rows_of(named)) == ["test_it.py::one", *["test_it.py::two"] * 2]
    assert intercept.validate(named) == []


def test_a_torn_last_row_is_left_out_with_a_warning(provider: Provider, named: str) -> None:
    """As in any cassette."""
    left = leave(named, "record", provider.url, asking("a", "b"))
    left.write_bytes(left.read_bytes()[:-9])

    with pytest.warns(intercept.InterceptWarning, match="cut off"):
        rescue(Path(named))

    assert exchanges(named) == [("a", 0, "Reply 1 to: a")]
    assert not left.exists()


@pytest.mark.parametrize("mode", ["record", UPDATE])
def test_what_was_kept_on_error_needs_nobody(mode: str, provider: Provider, named: str) -> None:
    """It is in its place: nothing is left behind."""

    def failing() -> None:
        with intercept.use_cassette(named, mode=mode, keep_on_error=True):
            SYNC.run(asking("a"), SYNC.client(provider.url))
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        failing()
    before = everything(named)

    assert exchanges(named) == [("a", 0, "Reply 1 to: a")]
    with pytest.raises(intercept.CassetteError):
        rescue(Path(named))
    assert everything(named) == before
