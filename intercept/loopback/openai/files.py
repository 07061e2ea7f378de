"""Files: uploaded, listed, read back byte for byte, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import raw, reply
from intercept.loopback.paging import page
from intercept.loopback.route import Refused
from intercept.loopback.shelf import Stored

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask

_PAGE = 10_000


def create(ask: Ask) -> Answer:
    """``POST /v1/files``."""
    if ask.upload is None:
        raise Refused(400, None, param="file")
    about = {
        "id": ask.mint.base62("file-", 22),
        "object": "file",
        "bytes": len(ask.upload.data),
        "created_at": ask.mint.seconds,
        "expires_at": None,
        "filename": ask.upload.filename,
        "purpose": ask.upload.fields.get("purpose", "user_data"),
        "status": "processed",
        "status_details": None,
    }
    ask.shelf.openai_files[str(about["id"])] = Stored(about, ask.upload.data)
    return reply(ask, about)


def listing(ask: Ask) -> Answer:
    """``GET /v1/files``."""
    files = [stored.about for stored in ask.shelf.openai_files.values()]
    return reply(ask, {"object": "list", **page(ask, files, _PAGE).body()})


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/files/{id}``."""
    return reply(ask, _kept(ask).about)


def content(ask: Ask) -> Answer:
    """``GET /v1/files/{id}/content``."""
    return raw(ask, _kept(ask).data, "application/octet-stream")


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/files/{id}``."""
    del ask.shelf.openai_files[_kept(ask).about["id"]]
    return reply(ask, {"id": ask.name, "object": "file", "deleted": True})


def _kept(ask: Ask) -> Stored:
    if ask.name not in ask.shelf.openai_files:
        raise Refused(404, f"No such File object: {ask.name}")
    return ask.shelf.openai_files[ask.name]
