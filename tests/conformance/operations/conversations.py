"""Conversations, which hold the items of responses."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import settled
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed


async def _conversation(client: Any) -> Any:
    given = [{"type": "message", "role": "user", "content": text} for text in ("One.", "Two.", "Three.")]
    return await settled(client.conversations.create(items=given, metadata={"of": "mine"}))


@viewed("openai", pages=True)
async def conversation_items(client: Any) -> Asked:
    return asked("conversations.items.list", (await _conversation(client)).id, limit=2)


@operation("openai")
async def conversation(client: Any) -> Any:
    made = await _conversation(client)
    added = await settled(
        client.conversations.items.create(made.id, items=[{"type": "message", "role": "user", "content": "Four."}])
    )
    item = added.data[0].id
    return [
        made,
        added,
        await settled(client.conversations.items.retrieve(item, conversation_id=made.id)),
        await settled(client.conversations.items.delete(item, conversation_id=made.id)),
        await settled(client.conversations.retrieve(made.id)),
        await settled(client.conversations.update(made.id, metadata={"of": "yours"})),
        await settled(client.conversations.delete(made.id)),
    ]
