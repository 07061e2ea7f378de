"""Conversations: made, changed, deleted; their items added, listed, taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai.kept import deleted, found, keep, listed, updated
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def create(ask: Ask) -> Answer:
    """``POST /v1/conversations``."""
    conversation: JSONObject = {
        "id": ask.mint.hex("conv_", 48),
        "object": "conversation",
        "created_at": ask.mint.seconds,
        "metadata": ask.body.get("metadata") or {},
    }
    keep(ask, "conversations", conversation)
    _add(ask, conversation["id"])
    return reply(ask, conversation)


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/conversations/{id}``."""
    return reply(ask, _conversation(ask))


def update(ask: Ask) -> Answer:
    """``POST /v1/conversations/{id}``."""
    return updated(ask, _conversation(ask), "metadata")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/conversations/{id}``."""
    return deleted(ask, "conversations", _conversation(ask), "conversation.deleted")


def create_items(ask: Ask) -> Answer:
    """``POST /v1/conversations/{id}/items``: those that were added, in their order."""
    added = _add(ask, _conversation(ask)["id"])
    ends = {"first_id": added[0]["id"], "last_id": added[-1]["id"]} if added else {"first_id": None, "last_id": None}
    return reply(ask, {"object": "list", "data": added, "has_more": False, **ends})


def list_items(ask: Ask) -> Answer:
    """``GET /v1/conversations/{id}/items``."""
    return listed(ask, ask.shelf.drawer(_drawer(_conversation(ask)["id"])).values())


def retrieve_item(ask: Ask) -> Answer:
    """``GET /v1/conversations/{id}/items/{id}``."""
    return reply(ask, _item(ask))


def delete_item(ask: Ask) -> Answer:
    """``DELETE /v1/conversations/{id}/items/{id}``: the conversation without it."""
    del ask.shelf.drawer(_drawer(ask.name))[_item(ask)["id"]]
    return retrieve(ask)


def _add(ask: Ask, conversation: str) -> list[JSONObject]:
    given = [as_object(item) for item in as_list(ask.body.get("items"))]
    return [keep(ask, _drawer(conversation), _made(ask, place, item)) for place, item in enumerate(given)]


def _made(ask: Ask, place: int, item: JSONObject) -> JSONObject:
    """Return an item as the API gives it back: with an id, its text in parts."""
    content = item.get("content")
    kind = "output_text" if item.get("role") == "assistant" else "input_text"
    parts = [{"type": kind, "text": content}] if isinstance(content, str) else as_list(content)
    return {
        "type": "message",
        "status": "completed",
        **item,
        "id": ask.mint.hex("msg_", 48, part=place),
        "content": parts,
    }


def _conversation(ask: Ask) -> JSONObject:
    return found(ask, "conversations", "conversation")


def _item(ask: Ask) -> JSONObject:
    return found(ask, _drawer(_conversation(ask)["id"]), "item", ask.names[1])


def _drawer(conversation: str) -> str:
    return f"items of {conversation}"
