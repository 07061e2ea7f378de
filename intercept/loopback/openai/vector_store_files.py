"""The files of a vector store: attached, worked on for two looks, read back as text, detached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_object, as_text
from intercept.loopback.openai import files
from intercept.loopback.openai.kept import deleted, found, listed, updated
from intercept.loopback.openai.replies import polled, reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_USUAL_CHUNKS = {"type": "static", "static": {"max_chunk_size_tokens": 800, "chunk_overlap_tokens": 400}}
_STATES = ("in_progress", "completed", "failed", "cancelled")


def of(ask: Ask, store: str) -> dict[str, JSONObject]:
    """Return the files of a store, by id."""
    return ask.shelf.drawer(f"files of {store}")


def counted(ask: Ask, store: JSONObject) -> JSONObject:
    """Return the store with the numbers of its files as they are now."""
    there = list(of(ask, store["id"]).values())
    counts = {state: sum(file["status"] == state for file in there) for state in _STATES}
    store.update(
        file_counts={**counts, "total": len(there)},
        usage_bytes=sum(file["usage_bytes"] for file in there),
        status="in_progress" if counts["in_progress"] else "completed",
    )
    return store


def attach(ask: Ask, store: str, file_id: object, attributes: object = None, chunking: object = None) -> JSONObject:
    """Begin to take a file into a store."""
    stored = files.stored(ask, as_text(file_id))
    strategy = as_object(chunking)
    file: JSONObject = {
        "id": stored.about["id"],
        "object": "vector_store.file",
        "usage_bytes": 0,
        "created_at": ask.mint.seconds,
        "vector_store_id": store,
        "status": "in_progress",
        "last_error": None,
        "chunking_strategy": strategy if strategy.get("type") == "static" else _USUAL_CHUNKS,
        "attributes": as_object(attributes),
    }
    done = {"status": "completed", "usage_bytes": len(stored.data)}
    progress.begin(ask.shelf, file, lambda: {"status": "in_progress"}, lambda: done)
    of(ask, store)[file["id"]] = file
    return file


def create(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}/files``."""
    body = ask.body
    file = attach(ask, _store(ask), body["file_id"], body.get("attributes"), body.get("chunking_strategy"))
    return reply(ask, file)


def listing(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}/files``, or those in one state."""
    state = ask.option("filter")
    return listed(ask, [file for file in of(ask, _store(ask)).values() if state in (None, file["status"])])


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}/files/{id}``."""
    return polled(ask, progress.look(ask.shelf, _file(ask)))


def update(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}/files/{id}``."""
    return updated(ask, _file(ask), "attributes")


def content(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}/files/{id}/content``."""
    text = files.stored(ask, _file(ask)["id"]).data.decode("utf-8", "replace")
    body = {"object": "vector_store.file_content.page", "data": [{"type": "text", "text": text}]}
    return reply(ask, {**body, "has_more": False, "next_page": None})


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/vector_stores/{id}/files/{id}``."""
    return deleted(ask, f"files of {_store(ask)}", _file(ask), "vector_store.file.deleted")


def _store(ask: Ask) -> str:
    return str(found(ask, "vector stores", "vector store")["id"])


def _file(ask: Ask) -> JSONObject:
    return found(ask, f"files of {_store(ask)}", "file", ask.names[1])
