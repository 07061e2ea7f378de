"""The SDK's own retry loop: as many attempts as without us, the same waits asked for, none sat out in replay."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any, Final

import pytest

import intercept
from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.errors.caught import caught, hinted, refusal, told
from tests.conformance.stage import Stage
from tests.conformance.ways import WAYS, Way, name, plain, question, resource, stream

HINTS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "none": (),
    "seconds": (("retry-after", "3"),),
    "a fraction": (("Retry-After", "0.25"),),
    "milliseconds": (("retry-after-ms", "120"),),
    "both": (("retry-after", "9"), ("retry-after-ms", "340")),
    "zero": (("retry-after", "0"),),
    "negative": (("retry-after", "-5"),),
    "two hours": (("retry-after", "7200"),),
    "no number": (("retry-after", "soon"),),
    "twice": (("retry-after", "3"), ("retry-after", "4")),
    "do": (("x-should-retry", "true"),),
    "do not": (("x-should-retry", "false"),),
    "do, in two seconds": (("X-Should-Retry", "true"), ("retry-after", "2")),
    "perhaps": (("x-should-retry", "maybe"),),
}
ERRORS: Final = {
    **{(429, hint): headers for hint, headers in HINTS.items()},
    **{(400, hint): headers for hint, headers in HINTS.items()},
    **{(status, "none"): () for status in (401, 404, 408, 409, 422, 500, 502, 503, 529)},
}


def trying(retries: int) -> Callable[[], dict[str, Any]]:
    """Make options of a client that tries so often again."""
    return lambda: {"max_retries": retries}


async def _counted(client: Any, text: str) -> Any:
    """Ask, and return the answer with the number of tries that it took."""
    view = await settled(resource(client).with_raw_response.create(**question(client, text)))
    return [view.retries_taken, await settled(view.parse())]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_whatever_the_provider_says_of_trying_again_is_followed_as_without_us(
    caller: Caller, stage: Stage, slept: list[float]
) -> None:
    """Two errors, then an answer: the same attempts, waits and outcome for each hint and status."""

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for (status, hint), headers in ERRORS.items():
            if str(client.base_url).startswith(stage.provider.url):
                stage.provider.reset()
                stage.provider.answer(*[hinted(caller, status, headers)] * 2)
            outcomes[f"{status}, {hint}"] = told(await caught(_counted, client, f"{status}, {hint}"))
        return outcomes

    played = stage.play(caller, scenario, options=trying(2))

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.unpatched["429, do not"]["status_code"] == 429
    assert played.unpatched["503, none"]["answer"][0] == 2
    assert played.recording.waits == []
    assert slept == [*played.replay.waits, *played.replay.waits]
    assert {3.0, 0.25, 0.12, 0.34, 2.0} <= set(played.replay.waits)
    assert played.statuses == [call.status for call in played.recording.calls]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_date_to_wait_for_is_understood_as_without_us(caller: Caller, stage: Stage, slept: list[float]) -> None:
    """`retry-after` may be an HTTP date; then the wait depends on the clock."""
    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)

    played = stage.play(caller, plain, hinted(caller, 429, (("retry-after", soon),)), options=trying(1))

    assert played.recorded == played.replayed == played.unpatched
    assert slept == pytest.approx([20, 20], abs=5)
    assert played.replay.waits == pytest.approx([20], abs=5)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_retries_that_run_out_raise_the_last_error(caller: Caller, way: Way, stage: Stage, slept: list[float]) -> None:
    """In every way of asking; an error to a stream is given up unread before it is tried again."""
    answers = [refusal(caller, status, retry_after=1, request_id=f"req_{status}") for status in (503, 500, 429)]

    async def scenario(client: Any) -> Any:
        return told(await caught(way, client))

    played = stage.play(caller, scenario, *answers, options=trying(2))

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.unpatched["request_id"] == "req_429"
    assert played.statuses == [503, 500, 429]
    assert slept == [1, 1, 1, 1]
    assert played.replay.waits == [1, 1]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_an_answer_after_errors_is_the_same(caller: Caller, way: Way, stage: Stage, slept: list[float]) -> None:
    """In every way of asking: two errors, then what was asked for."""
    answers = [refusal(caller, 503, retry_after_ms=5), Answer(502, "<html>", content_type="text/html")]

    played = stage.play(caller, way, *answers, options=trying(2))

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.statuses == [503, 502, 200]
    assert slept == [*played.replay.waits, *played.replay.waits]


async def _gave_up(client: Any) -> Any:
    return told(await caught(plain, client))


async def _gave_up_on_a_stream(client: Any) -> Any:
    return told(await caught(stream, client))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_fewer_tries_in_replay_raise_the_recorded_error(caller: Caller, stage: Stage, slept: list[float]) -> None:
    """How often to try is no part of what is asked: whoever gives up sooner gets the error that came then."""
    stage.recorded(caller, _gave_up, [refusal(caller, 503), refusal(caller, 500)], trying(2))

    sooner, session = stage.replayed(caller, _gave_up, trying(1))

    assert sooner["status_code"] == 500
    assert "No 500." in sooner["text"]
    assert [call.status for call in session.calls] == [503, 500]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_fewer_tries_for_a_stream_say_that_the_error_was_not_read(
    caller: Caller, stage: Stage, slept: list[float]
) -> None:
    """The SDK gives up an error to a stream unread before it tries again: nobody has its body."""
    stage.recorded(caller, _gave_up_on_a_stream, [refusal(caller, 503), refusal(caller, 500)], trying(2))

    with pytest.raises(intercept.Exhausted, match="ends here, after 0 events"):
        stage.replayed(caller, _gave_up_on_a_stream, trying(1))
