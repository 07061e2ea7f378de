"""Files: uploaded, listed in pages, read back byte for byte, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.anthropic.replies import raw, reply
from intercept.loopback.paging import page
from intercept.loopback.route import Refused
from intercept.loopback.shelf import Stored

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask

_PAGE = 20


def create(ask: Ask) -> Answer:
    """``POST /v1/files``."""
    if ask.upload is None:
        raise Refused(400, None, param="file")
    about = {
        "type": "file",
        "id": ask.mint.base62("file_011C", 20),
        "filename": ask.upload.filename,
        "mime_type": ask.upload.content_type,
        "size_bytes": len(ask.upload.data),
        "created_at": ask.mint.iso,
        "downloadable": True,
    }
    ask.shelf.anthropic_files[str(about["id"])] = Stored(about, ask.upload.data)
    return reply(ask, about)


def listing(ask: Ask) -> Answer:
    """``GET /v1/files``."""
    found = page(ask, [stored.about for stored in ask.shelf.anthropic_files.values()], _PAGE)
    return reply(ask, {**found.body(), "next_page": f"page_{found.data[-1]['id']}" if found.has_more else None})


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/files/{id}``."""
    return reply(ask, _kept(ask).about)


def content(ask: Ask) -> Answer:
    """``GET /v1/files/{id}/content``."""
    stored = _kept(ask)
    return raw(ask, stored.data, stored.about["mime_type"])


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/files/{id}``."""
    del ask.shelf.anthropic_files[_kept(ask).about["id"]]
    return reply(ask, {"type": "file_deleted", "id": ask.name})


def _kept(ask: Ask) -> Stored:
    if ask.name not in ask.shelf.anthropic_files:
        raise Refused(404, f"File not found: {ask.name}")
    return ask.shelf.anthropic_files[ask.name]
