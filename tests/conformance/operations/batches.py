"""Batches of OpenAI."""

from __future__ import annotations

import json
from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.files import made
from tests.conformance.operations.questions import CHAT
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

URL = "/v1/chat/completions"


async def _begun(client: Any) -> Any:
    rows = [{"custom_id": name, "method": "POST", "url": URL, "body": CHAT} for name in ("one", "two")]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    file = await made(client, "batch.jsonl", data, "batch")
    return await settled(client.batches.create(input_file_id=file.id, endpoint=URL, completion_window="24h"))


@viewed("openai")
async def batches_create(client: Any) -> Asked:
    file = await made(client, "batch.jsonl", b"", "batch")
    options: dict[str, Any] = {"endpoint": URL, "completion_window": "24h", "metadata": {"of": "mine"}}
    return asked("batches.create", input_file_id=file.id, **options)


@viewed("openai")
async def batches_retrieve(client: Any) -> Asked:
    return asked("batches.retrieve", (await _begun(client)).id)


@viewed("openai", pages=True)
async def batches_list(client: Any) -> Asked:
    await _begun(client)
    await _begun(client)
    return asked("batches.list", limit=1)


@operation("openai")
async def batches_done(client: Any) -> Any:
    """Polled until it is done; the results are read in every way an application does."""
    states = [await _begun(client)]
    while states[-1].status != "completed":
        states.append(await settled(client.batches.retrieve(states[0].id)))
    content = await settled(client.files.content(states[-1].output_file_id))
    lines = await each(content.iter_lines())
    assert len(lines) == 2
    assert len(states) == 4
    return [states, content.text, lines, [json.loads(line) for line in lines], content.content]


@operation("openai")
async def batches_cancelled(client: Any) -> Any:
    name = (await _begun(client)).id
    return [await settled(client.batches.cancel(name)), await settled(client.batches.retrieve(name))]
