"""Batches of files for a vector store: all attached at once, done after two looks, or cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.openai.kept import found, keep, listed
from intercept.loopback.openai.replies import polled, reply
from intercept.loopback.openai.vector_store_files import attach, of

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def create(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}/file_batches``: by ids, or by descriptions that hold one."""
    store = str(found(ask, "vector stores", "vector store")["id"])
    body = ask.body
    asked = [as_object(one) for one in as_list(body.get("files"))]
    asked = asked or [{**body, "file_id": as_text(file)} for file in as_list(body.get("file_ids"))]
    attached = [
        attach(ask, store, one["file_id"], one.get("attributes"), one.get("chunking_strategy")) for one in asked
    ]
    batch: JSONObject = {
        "id": ask.mint.hex("vsfb_", 32),
        "object": "vector_store.files_batch",
        "created_at": ask.mint.seconds,
        "vector_store_id": store,
        "status": "in_progress",
        "file_counts": _counts(attached),
    }
    ask.shelf.drawer("batched files")[batch["id"]] = {file["id"]: file for file in attached}
    return reply(ask, keep(ask, f"batches of {store}", batch))


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}/file_batches/{id}``: a look at each of its files."""
    batch = _batch(ask)
    counts = _counts([progress.look(ask.shelf, file) for file in _files(ask, batch)])
    batch["file_counts"] = counts
    if batch["status"] == "in_progress" and not counts["in_progress"]:
        batch["status"] = "completed"
    return polled(ask, batch)


def cancel(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}/file_batches/{id}/cancel``."""
    batch = _batch(ask)
    for file in _files(ask, batch):
        if file["status"] == "in_progress":
            progress.stop(ask.shelf, file, status="cancelled")
    batch.update(status="cancelled", file_counts=_counts(_files(ask, batch)))
    return reply(ask, batch)


def listing(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}/file_batches/{id}/files``."""
    return listed(ask, _files(ask, _batch(ask)))


def _batch(ask: Ask) -> JSONObject:
    return found(ask, f"batches of {ask.name}", "file batch", ask.names[1])


def _files(ask: Ask, batch: JSONObject) -> list[JSONObject]:
    there = of(ask, ask.name)
    return [there[name] for name in ask.shelf.drawer("batched files")[batch["id"]] if name in there]


def _counts(files: list[JSONObject]) -> JSONObject:
    states = ("in_progress", "completed", "failed", "cancelled")
    return {**{state: sum(file["status"] == state for file in files) for state in states}, "total": len(files)}
