"""Fine-tuning jobs."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import settled
from tests.conformance.operations.files import made
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed


async def _job(client: Any) -> Any:
    file = await made(client, "train.jsonl", b"{}\n", "fine-tune")
    return await settled(client.fine_tuning.jobs.create(model="gpt-4o-mini", training_file=file.id))


@viewed("openai")
async def fine_tuning_create(client: Any) -> Asked:
    file = await made(client, "train.jsonl", b"{}\n", "fine-tune")
    return asked("fine_tuning.jobs.create", model="gpt-4o-mini", training_file=file.id, seed=7)


@viewed("openai")
async def fine_tuning_retrieve(client: Any) -> Asked:
    return asked("fine_tuning.jobs.retrieve", (await _job(client)).id)


@viewed("openai", pages=True)
async def fine_tuning_list(client: Any) -> Asked:
    await _job(client)
    await _job(client)
    return asked("fine_tuning.jobs.list", limit=1)


@operation("openai")
async def fine_tuning_done(client: Any) -> Any:
    states = [await _job(client)]
    while states[-1].status != "succeeded":
        states.append(await settled(client.fine_tuning.jobs.retrieve(states[0].id)))
    assert len(states) == 4
    return [states, await settled(client.fine_tuning.jobs.checkpoints.list(states[0].id))]


@viewed("openai", pages=True)
async def fine_tuning_events(client: Any) -> Asked:
    name = (await _job(client)).id
    await settled(client.fine_tuning.jobs.cancel(name))
    return asked("fine_tuning.jobs.list_events", name, limit=1)


@viewed("openai")
async def fine_tuning_cancel(client: Any) -> Asked:
    return asked("fine_tuning.jobs.cancel", (await _job(client)).id)
