"""`expect_rate_limited=True`: a recording of refusals alone, kept only if it is that."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, Scenario, ask, each
from tests.conftest import Canary
from tests.core.places import asking, every_layout, place_in, record_again
from tests.core.recording import SYNC

pytestmark = pytest.mark.usefixtures("no_run")

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _refusal(caller: Caller) -> Answer:
    make = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    return make(429, retry_after_ms=1)


def _refused(*texts: str, streamed: bool = False) -> Scenario:
    """Return a scenario whose every question is refused for the number of them; it gives the errors."""

    async def asked(client: Any) -> list[str]:
        found: list[str] = []
        for text in texts:
            with pytest.raises(Exception, match="429") as caught:
                await ask(client, text, stream=streamed)
            found.append(type(caught.value).__name__)
        return found

    return asked


@every_caller
@pytest.mark.parametrize("streamed", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("retries", [0, 2])
def test_a_recording_of_refusals_is_kept_and_replays_as_such(
    caller: Caller, retries: int, *, streamed: bool, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """With every attempt of the SDK's own retries; the application meets its RateLimitError again."""
    cassette = tmp_path / "limited.jsonl"
    provider.answer(*[_refusal(caller)] * (1 + retries))
    scenario = _refused("one", streamed=streamed)

    with intercept.use_cassette(cassette, mode="record", expect_rate_limited=True):
        recorded = caller.run(scenario, caller.client(provider.url, max_retries=retries))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(scenario, caller.client(canary.url, max_retries=retries))

    assert recorded == replayed == ["RateLimitError"]
    assert [played.status for played in session.calls] == [429] * (1 + retries)
    assert provider.hits == 1 + retries


@every_layout
@pytest.mark.parametrize(("mode", "existed"), [("record", True), ("update", True), ("record", False)])
@pytest.mark.parametrize("statuses", [(429, 200, 200), (429, 429, 500), (400,)], ids=str)
def test_a_recording_with_any_other_answer_is_not_kept(
    statuses: tuple[int, ...], mode: str, layout: str, *, existed: bool, provider: Provider, tmp_path: Path
) -> None:
    """The cassette is as it was, nothing lies beside it, and the error tells which call was answered with what."""
    place = place_in(tmp_path, layout)
    before = place.fill() if existed else {}
    provider.answer(*(Answer(status, _COMPLETION if status == 200 else {}) for status in statuses))
    others = [status for status in statuses if status != 429]

    async def asked(client: Any) -> None:
        for number in range(len(statuses)):
            with suppress(openai.APIStatusError):
                await ask(client, f"question {number}")

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode, expect_rate_limited=True):
            SYNC.run(asked, SYNC.client(provider.url, max_retries=0))

    with pytest.raises(intercept.NotVerified) as caught:
        ran()

    more = "" if len(others) == 1 else ", the first of 2 such calls,"
    assert f"POST /chat/completions{more} was answered with {others[0]}" in str(caught.value)
    assert place.files() == before
    assert str(place.path) in str(caught.value)
    assert str(place.partial) not in str(caught.value)
    assert "adopt" not in str(caught.value)
    record_again(place, provider.url)


_COMPLETION: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4o",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
}


@every_caller
def test_a_stream_that_is_answered_is_another_answer(caller: Caller, provider: Provider, tmp_path: Path) -> None:
    """It came, however it was read."""
    cassette = tmp_path / "limited.jsonl"

    async def asked(client: Any) -> None:
        await each(await ask(client, "one", stream=True))

    def ran() -> None:
        with intercept.use_cassette(cassette, mode="record", expect_rate_limited=True):
            caller.run(asked, caller.client(provider.url))

    with pytest.raises(intercept.NotVerified, match="was answered with 200 rather than 429"):
        ran()

    assert list(tmp_path.iterdir()) == []


@every_caller
def test_retries_that_get_an_answer_after_all_are_not_kept(caller: Caller, provider: Provider, tmp_path: Path) -> None:
    """A refusal that a retry overcame is no refusal for the application."""
    cassette = tmp_path / "limited.jsonl"
    provider.answer(_refusal(caller))

    def ran() -> None:
        with intercept.use_cassette(cassette, mode="record", expect_rate_limited=True):
            caller.run(asking("one"), caller.client(provider.url, max_retries=2))

    with pytest.raises(intercept.NotVerified, match="was answered with 200 rather than 429"):
        ran()

    assert (provider.hits, list(tmp_path.iterdir())) == (2, [])


@every_layout
def test_refusals_cannot_be_expected_where_each_row_is_kept_at_once(layout: str, tmp_path: Path) -> None:
    """Under `extend` there is nothing that could be left out."""
    place = place_in(tmp_path, layout)

    with (
        pytest.raises(intercept.ConfigError, match=r"expect_rate_limited.*extend"),
        intercept.use_cassette(place, mode="extend", expect_rate_limited=True),
    ):
        pass

    assert list(tmp_path.iterdir()) == []
