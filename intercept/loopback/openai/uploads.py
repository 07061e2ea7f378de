"""Uploads in parts: begun, sent part by part, put together into one file, or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list
from intercept.loopback.openai import files
from intercept.loopback.openai.kept import found, keep
from intercept.loopback.openai.replies import reply
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_HOUR = 3600


def create(ask: Ask) -> Answer:
    """``POST /v1/uploads``."""
    upload: JSONObject = {
        "id": ask.mint.hex("upload_", 32),
        "object": "upload",
        "bytes": ask.body["bytes"],
        "created_at": ask.mint.seconds,
        "filename": ask.body["filename"],
        "purpose": ask.body["purpose"],
        "status": "pending",
        "expires_at": ask.mint.seconds + _HOUR,
        "file": None,
    }
    return reply(ask, keep(ask, "uploads", upload))


def part(ask: Ask) -> Answer:
    """``POST /v1/uploads/{id}/parts``."""
    upload = _pending(ask)
    if ask.upload is None:
        raise Refused(400, None, param="data")
    sent: JSONObject = {
        "id": ask.mint.hex("part_", 32),
        "object": "upload.part",
        "created_at": ask.mint.seconds,
        "upload_id": upload["id"],
    }
    ask.shelf.drawer(f"parts of {upload['id']}")[sent["id"]] = {"data": ask.upload.data}
    return reply(ask, sent)


def complete(ask: Ask) -> Answer:
    """``POST /v1/uploads/{id}/complete``: the parts in the order the request names them."""
    upload = _pending(ask)
    parts = ask.shelf.drawer(f"parts of {upload['id']}")
    data = b"".join(parts[name]["data"] for name in as_list(ask.body.get("part_ids")) if name in parts)
    if len(data) != upload["bytes"]:
        raise Refused(400, f"The parts hold {len(data)} bytes, but {upload['bytes']} were announced.")
    upload.update(status="completed", file=files.keep(ask, upload["filename"], data, upload["purpose"]))
    return reply(ask, upload)


def cancel(ask: Ask) -> Answer:
    """``POST /v1/uploads/{id}/cancel``."""
    upload = _pending(ask)
    upload.update(status="cancelled")
    return reply(ask, upload)


def _pending(ask: Ask) -> JSONObject:
    upload = found(ask, "uploads", "upload")
    if upload["status"] != "pending":
        raise Refused(400, f"Upload {upload['id']} is {upload['status']}.")
    return upload
