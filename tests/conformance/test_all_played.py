"""What a session has not been asked for: told at any time, and an error on request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from intercept.session import Session
from tests.conformance.callers import CALLERS, Caller, ask, items, settled
from tests.conftest import Canary

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _asking(*texts: str) -> Any:
    async def scenario(client: Any) -> None:
        for text in texts:
            await ask(client, text)

    return scenario


def _left(session: Session) -> list[str]:
    return list(session.remaining)


@pytest.fixture
def recorded(request: pytest.FixtureRequest, provider: Provider, cassette: Path) -> Path:
    """A cassette with three rows, two of them of one question."""
    caller: Caller = request.getfixturevalue("caller")
    with intercept.use_cassette(cassette, mode="record") as session:
        caller.run(_asking("one", "two", "one"), caller.client(provider.url))
        assert session.remaining == ()
        session.assert_all_played()
    return cassette


@every_caller
def test_rows_that_were_not_asked_for_are_told(caller: Caller, recorded: Path, canary: Canary) -> None:
    """By their places, while the session runs and after it; each is told of until it is served."""
    with intercept.use_cassette(recorded) as session:
        assert _left(session) == [f"{recorded}:2", f"{recorded}:3", f"{recorded}:4"]
        caller.run(_asking("one"), caller.client(canary.url))
        assert _left(session) == [f"{recorded}:3", f"{recorded}:4"]
        with pytest.raises(intercept.NotVerified, match="has 2 rows that were not asked for") as caught:
            session.assert_all_played()
        caller.run(_asking("one", "two"), caller.client(canary.url))
        session.assert_all_played()

    assert _left(session) == []
    assert f"{recorded}:4" in str(caught.value)
    assert "--intercept=record" in str(caught.value)


@every_caller
def test_what_is_told_stays_after_the_session(caller: Caller, recorded: Path, canary: Canary) -> None:
    """The cassette is closed by then."""
    with intercept.use_cassette(recorded) as session:
        caller.run(_asking("two", "one"), caller.client(canary.url))

    with pytest.raises(intercept.NotVerified, match="a row that was not asked for"):
        session.assert_all_played()


@every_caller
def test_a_stream_that_is_left_half_read_was_asked_for(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """It has been served, as far as the application wanted it; a miss serves nothing."""

    async def whole(client: Any) -> None:
        stream = await ask(client, stream=True)
        async for _ in items(stream):
            pass

    async def half(client: Any) -> None:
        stream = await ask(client, stream=True)
        async for _ in items(stream):
            break
        await settled(stream.close())

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(whole, caller.client(provider.url))
    with intercept.use_cassette(cassette, verify=False) as session:
        with pytest.raises(intercept.NeverRecorded):
            caller.run(_asking("something else"), caller.client(canary.url))
        assert _left(session) == [f"{cassette}:2"]
        caller.run(half, caller.client(canary.url))
        session.assert_all_played()


@every_caller
def test_in_a_folder_of_rows_files_are_named(caller: Caller, provider: Provider, cassette: Path) -> None:
    """And `off` and `record` have nothing to ask for."""
    folder = f"{cassette.with_suffix('')}/"
    with intercept.use_cassette(folder, mode="record"):
        caller.run(_asking("one"), caller.client(provider.url))
    with intercept.use_cassette(folder) as session:
        (place,) = session.remaining
    with intercept.use_cassette(folder, mode="off") as off:
        assert off.remaining == ()

    assert Path(place).suffix == ".json"
    assert Path(place).is_file()
