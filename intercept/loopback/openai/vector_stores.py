"""Vector stores: made, listed, searched by the words their files share with the question, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai import files, vector_store_files
from intercept.loopback.openai.kept import deleted, found, keep, listed, updated
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_MOST_RESULTS = 10


def create(ask: Ask) -> Answer:
    """``POST /v1/vector_stores``."""
    store: JSONObject = {
        "id": ask.mint.hex("vs_", 32),
        "object": "vector_store",
        "created_at": ask.mint.seconds,
        "name": ask.body.get("name") or "",
        "usage_bytes": 0,
        "file_counts": {"in_progress": 0, "completed": 0, "failed": 0, "cancelled": 0, "total": 0},
        "status": "completed",
        "expires_after": ask.body.get("expires_after"),
        "expires_at": None,
        "last_active_at": ask.mint.seconds,
        "metadata": ask.body.get("metadata") or {},
    }
    keep(ask, "vector stores", store)
    for file in as_list(ask.body.get("file_ids")):
        vector_store_files.attach(ask, store["id"], file)
    return reply(ask, vector_store_files.counted(ask, store))


def listing(ask: Ask) -> Answer:
    """``GET /v1/vector_stores``."""
    stores = ask.shelf.drawer("vector stores").values()
    return listed(ask, [vector_store_files.counted(ask, store) for store in stores])


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/vector_stores/{id}``."""
    return reply(ask, vector_store_files.counted(ask, _store(ask)))


def update(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}``."""
    return updated(ask, _store(ask), "name", "metadata", "expires_after")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/vector_stores/{id}``."""
    return deleted(ask, "vector stores", _store(ask), "vector_store.deleted")


def search(ask: Ask) -> Answer:
    """``POST /v1/vector_stores/{id}/search``: the best files first."""
    store = _store(ask)
    query = ask.body["query"]
    wanted = {word.lower() for one in as_list(query) or [query] for word in str(one).split()}
    results = [_result(ask, file, wanted) for file in vector_store_files.of(ask, store["id"]).values()]
    results.sort(key=lambda result: -float(result["score"]))
    most = int(ask.body.get("max_num_results") or _MOST_RESULTS)
    return reply(
        ask,
        {
            "object": "vector_store.search_results.page",
            "search_query": as_list(query) or [query],
            "data": results[:most],
            "has_more": False,
            "next_page": None,
        },
    )


def _result(ask: Ask, file: JSONObject, wanted: set[str]) -> JSONObject:
    stored = files.stored(ask, file["id"])
    text = stored.data.decode("utf-8", "replace")
    shared = wanted & {word.lower() for word in text.split()}
    return {
        "file_id": file["id"],
        "filename": stored.about["filename"],
        "score": round(len(shared) / max(1, len(wanted)), 4),
        "attributes": as_object(file["attributes"]),
        "content": [{"type": "text", "text": text}],
    }


def _store(ask: Ask) -> JSONObject:
    return found(ask, "vector stores", "vector store")
