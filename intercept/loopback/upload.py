"""A multipart body: one file and the fields around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException

if TYPE_CHECKING:
    from starlette.requests import Request


@dataclass(frozen=True, slots=True)
class Upload:
    """A multipart body: one file and the fields around it."""

    filename: str
    content_type: str
    data: bytes
    fields: dict[str, str]


async def read_upload(request: Request) -> Upload | None:
    """Return the file and fields of a multipart request; None when it is not one, is broken, or has no file."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return None
    try:
        async with request.form() as form:
            items = form.multi_items()
            fields = {name: value for name, value in items if isinstance(value, str)}
            for _, value in items:
                if isinstance(value, UploadFile):
                    kind = value.content_type or "application/octet-stream"
                    return Upload(value.filename or "upload", kind, await value.read(), fields)
    except MultiPartException:
        return None
    return None
