"""Errors of ours: they travel between processes, and whoever swallows one does not hide it."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask

MISS = intercept.NeverRecorded(
    "no reply", adapter="openai", operation="POST /x", request_hash="0", cassette="c.jsonl", recorded=1, served=1
)
ERRORS = [
    intercept.InterceptError("text"),
    intercept.ConfigError("text"),
    intercept.CassetteError("c.jsonl:3", "reason"),
    intercept.CannotPatch("openai", "9.0", "openai.Client.request"),
    MISS,
    intercept.Exhausted("used", adapter="a", operation="o", request_hash="h", cassette="c"),
    intercept.NotVerified("not all went well", misses=(MISS,), failures=(OSError(28, "full"),)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_can_be_pickled_and_copied(error: intercept.InterceptError) -> None:
    """A worker process hands it on whole: type, text and facts."""
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301  our own
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert repr(vars(again)) == repr(vars(error))


async def _careless(client: Any) -> str:
    try:
        await ask(client)
    except Exception:  # noqa: BLE001  as careless code does
        return "n/a"
    return "answered"


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_swallowed_error_of_the_cassette_fails_the_session(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """A row whose request was edited, and a row that has no place to be written to."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))
    cassette.write_text(cassette.read_text().replace('"content":"hi"', '"content":"ho"'))

    with pytest.raises(intercept.NotVerified, match="edited since") as caught, intercept.use_cassette(cassette):
        assert caller.run(_careless, caller.client(provider.url)) == "n/a"
    assert [type(failure) for failure in caught.value.failures] == [intercept.CassetteError]
    nowhere = Path("/proc/nowhere/test.jsonl")
    with (
        pytest.raises(intercept.NotVerified, match="could not be written") as caught,
        intercept.use_cassette(nowhere, mode="record"),
    ):
        assert caller.run(_careless, caller.client(provider.url)) != "n/a"
    assert [type(failure) for failure in caught.value.failures] == [intercept.CassetteError]
    assert provider.hits == 2


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
def test_async_with_is_a_front_door_like_with(caller: Caller, provider: Provider, cassette: Path) -> None:
    """The same session, entered and left by `async with`."""

    async def scenario(client: Any) -> list[Any]:
        async with intercept.use_cassette(cassette, mode="record"):
            recorded = await ask(client)
        async with intercept.use_cassette(cassette) as session:
            replayed = await ask(client)
        return [recorded.model_dump(), replayed.model_dump(), session.mode]

    recorded, replayed, mode = caller.run(scenario, caller.client(provider.url))

    assert replayed == recorded
    assert mode == "replay"
    assert provider.hits == 1
