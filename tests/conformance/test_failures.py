"""Timeouts and broken connections as rows, for those who ask for them: they replay as the SDK's own exception."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, settled
from tests.conformance.outcomes import seen
from tests.conftest import Canary

_ERRORS = (openai.APIConnectionError, anthropic.APIConnectionError)
_SILENCE: dict[str, Callable[[Provider], str]] = {
    "timeout": lambda provider: _address(provider, Answer(delay=0.4)),
    "dropped": lambda provider: _address(provider, Answer(cut_after=-1)),
    "refused": lambda _: "http://127.0.0.1:9",
}


def _address(provider: Provider, answer: Answer) -> str:
    provider.answer(answer)
    return provider.url


async def _caught(client: Any) -> list[Any]:
    """Describe an error down to what the HTTP library said."""
    try:
        return [await ask(client)]
    except _ERRORS as error:
        cause = error.__cause__
        return [type(error), error.message, type(cause), str(cause), str(error.request.method)]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("kind", _SILENCE)
def test_no_answer_is_a_row_and_replays_as_the_same_exception(
    kind: str, caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Class, message and cause; the row has no status, and says what happened."""
    options: dict[str, Any] = {"max_retries": 0, "timeout": 0.1}
    unpatched = caller.run(_caught, caller.client(_SILENCE[kind](provider), **options))
    with intercept.use_cassette(cassette, mode="record", failures=True) as session:
        recorded = caller.run(_caught, caller.client(_SILENCE[kind](provider), **options))
    with intercept.use_cassette(cassette) as replay:
        replayed = caller.run(_caught, caller.client(canary.url, key=None, **options))

    assert recorded == unpatched
    assert replayed == unpatched
    row = json.loads(cassette.read_bytes().splitlines()[1])
    assert (row["status"], row["headers"], row["events"], row["usage"]) == (None, [], [], None)
    assert row["failure"].partition(": ")[0] == unpatched[2].__name__
    assert [(played.status, played.end) for played in session.calls] == [(None, "truncated")]
    assert [(played.status, played.end) for played in replay.calls] == [(None, "truncated")]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_failure_and_the_answer_after_it_replay_through_the_retry_loop(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The SDK tries again by itself: two rows of one request, and nobody waits."""
    provider.answer(Answer(cut_after=-1))
    with intercept.use_cassette(cassette, mode="record", failures=True):
        recorded = caller.run(ask, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(ask, caller.client(canary.url, key=None))

    assert seen(replayed) == seen(recorded)
    assert [played.status for played in session.calls] == [None, 200]
    assert len(session.waits) == 1
    assert provider.hits == 2


@pytest.mark.parametrize("caller", CALLERS[:2], ids=str)
def test_an_upload_that_got_no_answer_is_a_row_too(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Its body passed to the transport unread, and counts all the same."""

    async def upload(client: Any) -> Any:
        return await settled(client.files.create(file=("a.txt", b"x" * 1000), purpose="assistants"))

    provider.answer(Answer(cut_after=-1))
    with intercept.use_cassette(cassette, mode="record", failures=True):
        recorded = caller.run(upload, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(upload, caller.client(canary.url, key=None))

    assert seen(replayed) == seen(recorded)
    assert [played.status for played in session.calls] == [None, 200]


def test_a_row_without_status_and_failure_is_refused(provider: Provider, cassette: Path) -> None:
    """Somebody edited it: there is neither an answer nor a reason."""
    caller = CALLERS[0]
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))
    cassette.write_bytes(cassette.read_bytes().replace(b'"status":200', b'"status":null'))

    with pytest.raises(intercept.CassetteError, match=r":2: status: it is null"), intercept.use_cassette(cassette):
        pass
