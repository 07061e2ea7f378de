"""Message batches, plain and of the beta."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.questions import MESSAGE, USER
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

REQUESTS: list[Any] = [
    {"custom_id": "one", "params": MESSAGE},
    {"custom_id": "two", "params": {**MESSAGE, "system": "Be brief."}},
    {"custom_id": "three", "params": {"model": "claude-test", "messages": USER, "max_tokens": 0}},
]


async def _done(of: Any) -> list[Any]:
    states = [await settled(of.create(requests=REQUESTS))]
    while states[-1].processing_status != "ended":
        states.append(await settled(of.retrieve(states[0].id)))
    assert len(states) == 3
    return states


@viewed("anthropic")
async def message_batches_create(_client: Any) -> Asked:
    return asked("messages.batches.create", requests=REQUESTS)


@viewed("anthropic", pages=True)
async def message_batches_list(client: Any) -> Asked:
    for _ in range(3):
        await settled(client.messages.batches.create(requests=REQUESTS[:1]))
    return asked("messages.batches.list", limit=2)


@viewed("anthropic")
async def message_batches_retrieve(client: Any) -> Asked:
    batch = await settled(client.messages.batches.create(requests=REQUESTS))
    return asked("messages.batches.retrieve", batch.id)


@viewed("anthropic")
async def message_batches_cancel(client: Any) -> Asked:
    batch = await settled(client.messages.batches.create(requests=REQUESTS))
    return asked("messages.batches.cancel", batch.id)


@viewed("anthropic")
async def message_batches_delete(client: Any) -> Asked:
    batch = await settled(client.messages.batches.create(requests=REQUESTS))
    return asked("messages.batches.delete", batch.id)


async def _results(of: Any) -> Any:
    states = await _done(of)
    decoded = await settled(of.results(states[0].id))
    lines = await each(decoded)
    assert [line.result.type for line in lines] == ["succeeded", "succeeded", "errored"]
    return [states, kind(decoded)[0], lines, decoded.http_response.headers["content-type"]]


@operation("anthropic")
async def message_batches_results(client: Any) -> Any:
    return await _results(client.messages.batches)


@operation("anthropic")
async def beta_message_batches_results(client: Any) -> Any:
    return await _results(client.beta.messages.batches)


@operation("anthropic")
async def message_batches_cancelled(client: Any) -> Any:
    of = client.messages.batches
    batch = await settled(of.create(requests=REQUESTS))
    cancelled = await settled(of.cancel(batch.id))
    ended = await settled(of.retrieve(batch.id))
    return [cancelled, ended, await each(await settled(of.results(batch.id)))]


@operation("anthropic")
async def message_batches_results_as_bytes(client: Any) -> Any:
    """The address of the results is asked as it stands, and read as it came."""
    batch = (await _done(client.messages.batches))[-1]
    return await settled(client.get(batch.results_url, cast_to=object, options={"headers": {"Accept": "*/*"}}))


@operation("anthropic")
async def beta_message_batches(client: Any) -> Any:
    of = client.beta.messages.batches
    batches = [await settled(of.create(requests=REQUESTS, betas=["mine-2025-01-01"])) for _ in range(3)]
    return [
        batches,
        await each(of.list(limit=2)),
        await settled(of.retrieve(batches[0].id)),
        await settled(of.cancel(batches[0].id)),
        await settled(of.delete(batches[0].id)),
    ]
