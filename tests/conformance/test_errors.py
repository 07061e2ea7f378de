"""Errors of the provider: the SDK's own, with all they carry, and through its own retry loop."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask
from tests.conformance.outcomes import seen
from tests.conftest import Canary


def _error(caller: Caller, status: int, **hints: Any) -> Answer:
    make = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    return make(status, message="No.", **hints)


async def _caught(client: Any) -> Any:
    try:
        return await ask(client)
    except (openai.APIError, anthropic.APIError) as error:
        return error


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 429, 500, 503, 529])
def test_an_error_status_is_the_same_error(
    caller: Caller, status: int, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Class, status, body, request id and message; the SDK makes it, not we."""
    outcomes: list[Any] = []
    for mode in ("off", "record", "replay"):
        provider.answer(*([_error(caller, status, retry_after=3)] if mode != "replay" else []))
        with intercept.use_cassette(cassette, mode=mode):
            client = caller.client(canary.url if mode == "replay" else provider.url, max_retries=0)
            outcomes.append(caller.run(_caught, client))

    unpatched, recorded, replayed = map(seen, outcomes)
    assert unpatched["status"] == status
    assert recorded == unpatched
    assert replayed == unpatched
    assert provider.hits == 2


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_refused_key_is_the_same_error_and_is_not_stored(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The provider's 401 may quote the key; the application sees it live, the cassette does not."""
    provider.require_key = "another"
    wrong = "sk-" + "B" * 40
    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(_caught, caller.client(provider.url, key=wrong))

    with intercept.use_cassette(cassette):
        replayed = caller.run(_caught, caller.client(canary.url, key=None))

    assert type(recorded) is type(replayed)
    assert recorded.status_code == replayed.status_code == 401
    assert recorded.request_id == replayed.request_id
    assert wrong not in cassette.read_text()
    assert str(replayed) == str(recorded).replace(wrong, "[REDACTED:openai-key:1]")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("status", [429, 529])
def test_a_retried_call_is_two_rows_and_replays_through_the_retry_loop(
    caller: Caller, status: int, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The SDK tries again by itself; in replay nobody sleeps, and the wait that was asked for can be read."""
    provider.answer(_error(caller, status, retry_after=0.2))
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(ask, caller.client(provider.url))
    assert [played.status for played in session.calls] == [status, 200]
    assert session.waits == []

    began = time.perf_counter()
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(ask, caller.client(canary.url, key=None))
    took = time.perf_counter() - began

    assert seen(replayed) == seen(recorded)
    assert [played.status for played in session.calls] == [status, 200]
    assert session.waits == [0.2]
    assert took < 0.2
    assert provider.hits == 2


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_call_that_got_no_answer_leaves_no_row(caller: Caller, provider: Provider, cassette: Path) -> None:
    """A dropped connection is the SDK's own error, tried again live; only what was answered is recorded."""
    provider.answer(Answer(cut_after=-1), Answer(cut_after=-1))
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(ask, caller.client(provider.url, max_retries=2))

    assert [played.status for played in session.calls] == [None, None, 200]
    assert provider.hits == 3
    with intercept.use_cassette(cassette):
        assert seen(caller.run(ask, caller.client(provider.url))) == seen(recorded)
    assert provider.hits == 3
