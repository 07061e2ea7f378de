"""Threads and their messages."""

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
    """``POST /v1/threads``."""
    return reply(ask, begun(ask, ask.body))


def begun(ask: Ask, body: JSONObject) -> JSONObject:
    """Return a new thread with the messages it begins with."""
    thread: JSONObject = {
        "id": ask.mint.base62("thread_", 24),
        "object": "thread",
        "created_at": ask.mint.seconds,
        "metadata": body.get("metadata") or {},
        "tool_resources": body.get("tool_resources") or {},
    }
    keep(ask, "threads", thread)
    for place, message in enumerate(as_list(body.get("messages"))):
        said(ask, thread["id"], as_object(message), place)
    return thread


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}``."""
    return reply(ask, thread_of(ask))


def update(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}``."""
    return updated(ask, thread_of(ask), "metadata", "tool_resources")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/threads/{id}``."""
    return deleted(ask, "threads", thread_of(ask), "thread.deleted")


def thread_of(ask: Ask) -> JSONObject:
    """Return the thread named in the path, or refuse."""
    return found(ask, "threads", "thread")


def create_message(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/messages``."""
    return reply(ask, said(ask, thread_of(ask)["id"], ask.body))


def list_messages(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/messages``, or those of one run."""
    run = ask.option("run_id")
    return listed(ask, [one for one in messages(ask, thread_of(ask)["id"]) if run in (None, one["run_id"])])


def retrieve_message(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/messages/{id}``."""
    return reply(ask, _message(ask))


def update_message(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/messages/{id}``."""
    return updated(ask, _message(ask), "metadata")


def delete_message(ask: Ask) -> Answer:
    """``DELETE /v1/threads/{id}/messages/{id}``."""
    return deleted(ask, _drawer(ask.name), _message(ask), "thread.message.deleted")


def messages(ask: Ask, thread: str) -> list[JSONObject]:
    """Return the messages of a thread, oldest first."""
    return list(ask.shelf.drawer(_drawer(thread)).values())


def said(ask: Ask, thread: str, given: JSONObject, place: int = 0, run: JSONObject | None = None) -> JSONObject:
    """Put a message on a thread; ``run`` is what said it, if no user did."""
    content = given.get("content")
    text: JSONObject = {"type": "text", "text": {"value": content, "annotations": []}}
    message: JSONObject = {
        "id": ask.mint.base62("msg_", 24, part=place),
        "object": "thread.message",
        "created_at": ask.mint.seconds,
        "assistant_id": None if run is None else run["assistant_id"],
        "thread_id": thread,
        "run_id": None if run is None else run["id"],
        "role": given.get("role") or "user",
        "content": [text] if isinstance(content, str) else [_part(as_object(part)) for part in as_list(content)],
        "attachments": given.get("attachments") or [],
        "metadata": given.get("metadata") or {},
    }
    if run is not None:
        message |= {"status": "completed", "completed_at": ask.mint.seconds, "incomplete_at": None}
        message |= {"incomplete_details": None}
    return keep(ask, _drawer(thread), message)


def _part(part: JSONObject) -> JSONObject:
    """Return a part as the API gives it back: of a text it says what in it is annotated."""
    return {"type": "text", "text": {"value": part["text"], "annotations": []}} if part.get("type") == "text" else part


def _message(ask: Ask) -> JSONObject:
    return found(ask, _drawer(thread_of(ask)["id"]), "message", ask.names[1])


def _drawer(thread: str) -> str:
    return f"messages of {thread}"
