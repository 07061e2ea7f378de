"""Files: uploaded whole, listed in pages, read back byte for byte, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import raw, reply
from intercept.loopback.paging import page
from intercept.loopback.route import Refused
from intercept.loopback.shelf import Stored

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PAGE = 10_000


def create(ask: Ask) -> Answer:
    """``POST /v1/files``."""
    if ask.upload is None:
        raise Refused(400, None, param="file")
    return reply(ask, keep(ask, ask.upload.filename, ask.upload.data, ask.upload.fields.get("purpose", "user_data")))


def keep(ask: Ask, filename: str, data: bytes, purpose: str) -> JSONObject:
    """Put a file on the shelf; return what the API says of it."""
    about: JSONObject = {
        "id": ask.mint.base62("file-", 22),
        "object": "file",
        "bytes": len(data),
        "created_at": ask.mint.seconds,
        "expires_at": None,
        "filename": filename,
        "purpose": purpose,
        "status": "processed",
        "status_details": None,
    }
    ask.shelf.openai_files[about["id"]] = Stored(about, data)
    return about


def listing(ask: Ask) -> Answer:
    """``GET /v1/files``, or those of one ``purpose``."""
    files = [stored.about for stored in ask.shelf.openai_files.values()]
    purpose = ask.option("purpose")
    files = [about for about in files if purpose in (None, about["purpose"])]
    return reply(ask, {"object": "list", **page(ask, files, _PAGE).body()})


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/files/{id}``."""
    return reply(ask, stored(ask, ask.name).about)


def content(ask: Ask) -> Answer:
    """``GET /v1/files/{id}/content``."""
    return raw(ask, stored(ask, ask.name).data, "application/octet-stream")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/files/{id}``."""
    del ask.shelf.openai_files[stored(ask, ask.name).about["id"]]
    return reply(ask, {"id": ask.name, "object": "file", "deleted": True})


def stored(ask: Ask, name: str) -> Stored:
    """Return a file by its id, or refuse."""
    if name not in ask.shelf.openai_files:
        raise Refused(404, f"No such File object: {name}")
    return ask.shelf.openai_files[name]
