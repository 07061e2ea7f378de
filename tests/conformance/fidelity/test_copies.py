"""Copies and pickles of errors and results: what works without us works, and what does not fails alike."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.errors.caught import caught, once, refusal, told
from tests.conformance.fidelity.copying import copied
from tests.conformance.stage import Stage
from tests.conformance.ways import WAYS, Way, name, question, resource


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_copies_of_an_error_are_as_without_us(caller: Caller, way: Way, stage: Stage) -> None:
    """An SDK's error, its request and its response: the same copy of each, or the same refusal."""

    async def scenario(client: Any) -> list[Any]:
        error = await caught(way, client)
        return [
            copied(error, told),
            copied(
                error.response,
                lambda response: (response.status_code, response.headers.get("retry-after"), response.text),
            ),
            copied(error.request, lambda request: (request.method, request.url.path, request.content)),
            copied(error.body),
        ]

    error, response, request, body = stage.agree(caller, scenario, refusal(caller, 429, retry_after=9), options=once)

    assert response["pickle 2"][1][:2] == [429, "9"]
    assert request["deepcopy"][1][0] == "POST"
    assert error
    assert body


async def _results(client: Any) -> list[Any]:
    model = await ask(client)
    page = await settled(client.models.list())
    events = await each(await ask(client, stream=True))
    raw = await settled(resource(client).with_raw_response.create(**question(client)))
    return [
        copied(model),
        copied(page),
        copied(events),
        copied(raw, lambda view: view.http_response.text),
        copied(raw.http_response, lambda response: response.text),
        copied(await settled(raw.parse())),
    ]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_copies_of_a_result_are_as_without_us(caller: Caller, stage: Stage) -> None:
    """A model with its request id, a page, events, a raw view and its response."""
    model, *_, parsed = stage.agree(caller, _results)

    assert model["deepcopy"][1]["request_id"].startswith("req_")
    assert model["pickle 5"][1] == model["copy"][1]
    assert parsed["copy"][0]
