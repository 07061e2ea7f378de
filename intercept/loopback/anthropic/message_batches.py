"""Message batches: done after two looks, their results read as JSON lines; or cancelled, or deleted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.anthropic import messages
from intercept.loopback.anthropic.errors import error
from intercept.loopback.anthropic.replies import raw, reply, request_id
from intercept.loopback.jsontypes import as_list, as_object, compact
from intercept.loopback.mint import Mint
from intercept.loopback.paging import page
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PAGE = 20
_DAY = 24 * 3600
_STATES = ("processing", "succeeded", "errored", "canceled", "expired")


def create(ask: Ask) -> Answer:
    """``POST /v1/messages/batches``."""
    asked = [as_object(one) for one in as_list(ask.body["requests"])]
    batch: JSONObject = {
        "id": ask.mint.base62("msgbatch_01", 22),
        "type": "message_batch",
        "processing_status": "in_progress",
        "request_counts": {**dict.fromkeys(_STATES, 0), "processing": len(asked)},
        "ended_at": None,
        "created_at": ask.mint.iso,
        "expires_at": Mint(ask.turn + _DAY).iso,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": None,
    }
    progress.begin(
        ask.shelf,
        batch,
        lambda: {"processing_status": "in_progress"},
        lambda: _ended(ask, batch, [_result(ask, place, one) for place, one in enumerate(asked)]),
    )
    ask.shelf.drawer("message batches")[batch["id"]] = batch
    ask.shelf.drawer("batched requests")[batch["id"]] = {"asked": asked}
    return reply(ask, batch)


def listing(ask: Ask) -> Answer:
    """``GET /v1/messages/batches``: newest first."""
    batches = list(ask.shelf.drawer("message batches").values())
    return reply(ask, page(ask, batches[::-1], _PAGE).body())


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/messages/batches/{id}``."""
    return reply(ask, progress.look(ask.shelf, _kept(ask)))


def cancel(ask: Ask) -> Answer:
    """``POST /v1/messages/batches/{id}/cancel``; it takes one more look."""
    batch = progress.stop(ask.shelf, _kept(ask), processing_status="canceling", cancel_initiated_at=ask.mint.iso)
    asked = ask.shelf.drawer("batched requests")[batch["id"]]["asked"]
    results = [{"custom_id": one["custom_id"], "result": {"type": "canceled"}} for one in asked]
    progress.begin(ask.shelf, batch, lambda: _ended(ask, batch, results))
    return reply(ask, batch)


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/messages/batches/{id}``."""
    del ask.shelf.drawer("message batches")[_kept(ask)["id"]]
    return reply(ask, {"id": ask.name, "type": "message_batch_deleted"})


def results(ask: Ask) -> Answer:
    """``GET /v1/messages/batches/{id}/results``: one line a request."""
    batch = _kept(ask)
    if batch["results_url"] is None:
        raise Refused(404, f"Batch {batch['id']} has no available results")
    lines = ask.shelf.drawer("batched results")[batch["id"]]["lines"]
    return raw(ask, "".join(compact(line) + "\n" for line in lines).encode(), "application/x-jsonl")


def _ended(ask: Ask, batch: JSONObject, lines: list[JSONObject]) -> JSONObject:
    """Keep the results; return what becomes of the batch."""
    ask.shelf.drawer("batched results")[batch["id"]] = {"lines": lines}
    kinds = [line["result"]["type"] for line in lines]
    return {
        "processing_status": "ended",
        "ended_at": ask.mint.iso,
        "request_counts": {state: kinds.count(state) for state in _STATES},
        "results_url": f"http://{ask.received.header('host')}/v1/messages/batches/{batch['id']}/results",
    }


def _result(ask: Ask, place: int, asked: JSONObject) -> JSONObject:
    """Answer one request of the batch, with identifiers of its own."""
    params = as_object(asked.get("params"))
    own = replace(ask, turn=1000 * ask.turn + place, body={**params, "stream": False})
    if not params.get("max_tokens"):
        problem = error(400, request_id=request_id(own), message="max_tokens: Field required")
        return {"custom_id": asked["custom_id"], "result": {"type": "errored", "error": problem}}
    return {
        "custom_id": asked["custom_id"],
        "result": {"type": "succeeded", "message": messages.create(own).body},
    }


def _kept(ask: Ask) -> JSONObject:
    batch = ask.shelf.drawer("message batches").get(ask.name)
    if batch is None:
        raise Refused(404, f"Batch not found: {ask.name}")
    return batch
