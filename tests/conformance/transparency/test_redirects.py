"""Redirects: followed while recording, and the same answer with the same history afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.errors.caught import caught, told
from tests.conformance.fidelity.answers import answer
from tests.conformance.stage import Stage
from tests.conformance.transports import library
from tests.conformance.ways import plain, question, resource


def moved(status: int, location: str, **parts: Any) -> Answer:
    """Return a redirect."""
    return Answer(status, headers=(("location", location),), **parts)


@pytest.fixture
def elsewhere() -> Iterator[Provider]:
    """Another provider, on another port: another origin."""
    with Provider() as running:
        yield running


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_leads_to_the_same_answer(caller: Caller, status: int, stage: Stage) -> None:
    """With its body (307, 308) or as a GET without one (301, 302, 303); one row holds the answer at its end."""
    path = "/v1/chat/completions" if caller.sdk == "openai" else "/v1/messages"

    async def scenario(client: Any) -> Any:
        return [await caught(plain, client, str(number)) for number in range(3)]

    answers = [moved(status, f"{path}?hop=1"), moved(status, f"{path}?hop=2"), moved(status, "/v1/models/x?hop=3")]
    played = stage.play(caller, scenario, *answers, options=lambda: {"max_retries": 0})

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert len(played.replay.calls) == 3
    kept = status in (307, 308)
    sent = [(request.method, bool(request.body)) for request in stage.provider.requests if request.query]
    assert sent == [("POST" if kept else "GET", kept)] * 3


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_redirect_may_lead_to_another_host(caller: Caller, stage: Stage, elsewhere: Provider) -> None:
    """The library leaves the key behind, and the answer is recorded under the address that was asked."""
    elsewhere.answer(*[answer(caller)] * 4)

    async def scenario(client: Any) -> Any:
        view = await settled(resource(client).with_raw_response.create(**question(client)))
        return [await settled(view.parse()), await ask(client), view.http_response.request.method]

    path = "/v1/chat/completions" if caller.sdk == "openai" else "/v1/messages"
    played = stage.play(caller, scenario, *[moved(307, elsewhere.url + path)] * 2)

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert elsewhere.hits == 4
    assert elsewhere.requests[0].header("authorization") is None
    assert elsewhere.requests[0].json()["messages"]
    assert played.statuses == [200, 200]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_redirect_that_is_not_followed_is_the_sdks_error(caller: Caller, stage: Stage) -> None:
    """A client of one's own may not follow any; then the redirect itself is the answer."""
    lib = library(caller)
    kind = lib.AsyncClient if caller.is_async else lib.Client

    async def scenario(client: Any) -> Any:
        return told(await caught(plain, client))

    def options() -> dict[str, Any]:
        return {"http_client": kind(follow_redirects=False), "max_retries": 0}

    error = stage.agree(
        caller, scenario, moved(307, "/v1/other", body={"error": {"message": "Moved."}}), options=options
    )

    assert error["status_code"] == 307


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_the_history_of_an_answer_is_given_back(caller: Caller, stage: Stage) -> None:
    """Each hop with its status, its `location`, its request and nothing to read; the last request is the answer's."""

    async def scenario(client: Any) -> Any:
        view = await settled(resource(client).with_raw_response.create(**question(client)))
        streamed = await ask(client, stream=True)
        await each(streamed)
        return [_way(view.http_response), _way(streamed.response)]

    path = "/v1/chat/completions" if caller.sdk == "openai" else "/v1/messages"
    hops = [moved(307, f"{path}?hop=1"), moved(308, f"{path}?hop=2", body="moved on")]
    (first, second, *_), _ = stage.agree(caller, scenario, *hops, *hops)

    assert first[:3] == [307, "Temporary Redirect", f"{path}?hop=1"]
    assert second[:3] == [308, "Permanent Redirect", f"{path}?hop=2"]


def _way(response: Any) -> list[Any]:
    """Describe the way to an answer."""
    hops = [
        [hop.status_code, hop.reason_phrase, hop.headers["location"], hop.is_redirect, hop.request.method]
        for hop in response.history
    ]
    return [*hops, response.request.method, response.url.path, response.url.query]
