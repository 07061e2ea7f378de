"""Batches: requests from a file of JSON lines, answered in another; done after three looks."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_object, as_text, compact
from intercept.loopback.mint import Mint
from intercept.loopback.openai import chat, completions, embeddings, files, moderations, responses
from intercept.loopback.openai.kept import found, keep, listed
from intercept.loopback.openai.replies import polled, reply
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_DAY = 24 * 3600
_ENDPOINTS: dict[str, Callable[[Ask], Answer]] = {
    "/v1/chat/completions": chat.create,
    "/v1/completions": completions.create,
    "/v1/embeddings": embeddings.create,
    "/v1/moderations": moderations.create,
    "/v1/responses": responses.create,
}
_TIMES = ("in_progress", "finalizing", "completed", "failed", "expired", "cancelling", "cancelled")


def create(ask: Ask) -> Answer:
    """``POST /v1/batches``."""
    lines = files.stored(ask, as_text(ask.body["input_file_id"])).data.splitlines()
    batch: JSONObject = {
        "id": ask.mint.hex("batch_", 32),
        "object": "batch",
        "endpoint": ask.body["endpoint"],
        "model": None,
        "errors": None,
        "input_file_id": ask.body["input_file_id"],
        "completion_window": ask.body["completion_window"],
        "status": "validating",
        "output_file_id": None,
        "error_file_id": None,
        "created_at": ask.mint.seconds,
        "expires_at": ask.mint.seconds + _DAY,
        **{f"{state}_at": None for state in _TIMES},
        "request_counts": _counts(0, 0),
        "metadata": ask.body.get("metadata"),
    }
    progress.begin(
        ask.shelf,
        batch,
        lambda: {**_now(ask, "in_progress"), "request_counts": _counts(len(lines), 0)},
        lambda: _now(ask, "finalizing"),
        lambda: {
            **_now(ask, "completed"),
            "request_counts": _counts(len(lines), len(lines)),
            "output_file_id": _answered(ask, batch["id"], lines)["id"],
        },
    )
    return reply(ask, keep(ask, "batches", batch))


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/batches/{id}``."""
    return polled(ask, progress.look(ask.shelf, found(ask, "batches", "batch")))


def listing(ask: Ask) -> Answer:
    """``GET /v1/batches``."""
    return listed(ask, ask.shelf.drawer("batches").values())


def cancel(ask: Ask) -> Answer:
    """``POST /v1/batches/{id}/cancel``; it takes one more look."""
    batch = progress.stop(ask.shelf, found(ask, "batches", "batch"), **_now(ask, "cancelling"))
    progress.begin(ask.shelf, batch, lambda: _now(ask, "cancelled"))
    return reply(ask, batch)


def _now(ask: Ask, state: str) -> JSONObject:
    return {"status": state, f"{state}_at": ask.mint.seconds}


def _counts(total: int, completed: int) -> JSONObject:
    return {"total": total, "completed": completed, "failed": 0}


def _answered(ask: Ask, batch: str, lines: list[bytes]) -> JSONObject:
    """Keep the file of answers, one a line, in the order of the requests."""
    rows = [_row(replace(ask, turn=1000 * ask.turn + place), line) for place, line in enumerate(lines)]
    data = "".join(compact(row) + "\n" for row in rows).encode()
    return files.keep(ask, f"{batch}_output.jsonl", data, "batch_output")


def _row(ask: Ask, line: bytes) -> JSONObject:
    asked: dict[str, Any] = json.loads(line)
    endpoint = _ENDPOINTS.get(as_text(asked.get("url")))
    if endpoint is None:
        raise Refused(400, f"Invalid URL in a batch: {asked.get('url')}")
    answer = endpoint(replace(ask, body=as_object(asked.get("body"))))
    response = {"status_code": answer.status, "request_id": Mint(ask.turn).hex("", 32), "body": answer.body}
    return {"id": ask.mint.hex("batch_req_", 32), "custom_id": asked["custom_id"], "response": response, "error": None}
