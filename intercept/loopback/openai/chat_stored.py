"""Chat completions that were stored: listed, read back with their messages, changed, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai.kept import deleted, found, keep, listed, updated
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_DRAWER = "chat completions"


def store(ask: Ask, completion: JSONObject) -> None:
    """Keep a completion whose request asked for it, and what it was asked."""
    keep(ask, _DRAWER, {**completion, "metadata": ask.body.get("metadata") or {}})
    for place, message in enumerate(as_list(ask.body.get("messages"))):
        name = f"{completion['id']}-{place}"
        kept = {"id": name, "name": None, "content_parts": None, **as_object(message)}
        ask.shelf.drawer(f"messages of {completion['id']}")[name] = kept


def listing(ask: Ask) -> Answer:
    """``GET /v1/chat/completions``."""
    return listed(ask, ask.shelf.drawer(_DRAWER).values(), newest_first=False)


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/chat/completions/{id}``."""
    return reply(ask, _kept(ask))


def update(ask: Ask) -> Answer:
    """``POST /v1/chat/completions/{id}``."""
    return updated(ask, _kept(ask), "metadata")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/chat/completions/{id}``."""
    return deleted(ask, _DRAWER, _kept(ask), "chat.completion.deleted")


def messages(ask: Ask) -> Answer:
    """``GET /v1/chat/completions/{id}/messages``."""
    return listed(ask, ask.shelf.drawer(f"messages of {_kept(ask)['id']}").values(), newest_first=False)


def _kept(ask: Ask) -> JSONObject:
    return found(ask, _DRAWER, "chat completion")
