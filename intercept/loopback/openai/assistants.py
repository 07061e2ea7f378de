"""Assistants: made, listed, changed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.kept import deleted, found, keep, listed, updated
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_FIELDS: dict[str, object] = {
    "name": None,
    "description": None,
    "model": "",
    "instructions": None,
    "tools": [],
    "top_p": 1.0,
    "temperature": 1.0,
    "tool_resources": {},
    "metadata": {},
    "response_format": "auto",
}


def create(ask: Ask) -> Answer:
    """``POST /v1/assistants``."""
    assistant: JSONObject = {
        "id": ask.mint.base62("asst_", 24),
        "object": "assistant",
        "created_at": ask.mint.seconds,
        **{name: ask.body.get(name, usual) for name, usual in _FIELDS.items()},
    }
    return reply(ask, keep(ask, "assistants", assistant))


def listing(ask: Ask) -> Answer:
    """``GET /v1/assistants``."""
    return listed(ask, ask.shelf.drawer("assistants").values())


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/assistants/{id}``."""
    return reply(ask, assistant_of(ask, ask.name))


def update(ask: Ask) -> Answer:
    """``POST /v1/assistants/{id}``."""
    return updated(ask, assistant_of(ask, ask.name), *_FIELDS)


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/assistants/{id}``."""
    return deleted(ask, "assistants", assistant_of(ask, ask.name), "assistant.deleted")


def assistant_of(ask: Ask, name: str) -> JSONObject:
    """Return an assistant by its id, or refuse."""
    return found(ask, "assistants", "assistant", name)
