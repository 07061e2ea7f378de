"""The parts of a multipart body, as the keywords an SDK's upload method takes."""

from __future__ import annotations

import re

Upload = tuple[str, bytes, str]
"""A file to send: its name, its bytes, its content type."""

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)
_PARAMETER = re.compile(rb'\b(name|filename)="([^"]*)"')
_TYPE = re.compile(rb"^content-type:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def is_upload(content_type: str) -> bool:
    """Whether a body of this type is in parts."""
    return content_type.lower().startswith("multipart/form-data")


def parts(body: bytes, content_type: str) -> dict[str, str | Upload]:
    """Every part by its name: text as a string, a file as `(name, bytes, type)`.

    Raises:
        ValueError: the type names no boundary, or a part has no name.

    """
    boundary = _BOUNDARY.search(content_type)
    if boundary is None:
        message = f"no boundary in {content_type!r}"
        raise ValueError(message)
    # Each part is CRLF, headers, an empty line, content, CRLF: what is cut off here belongs to the boundary.
    _, *inner, _ = (b"\r\n" + body).split(b"\r\n--" + boundary[1].encode())
    return dict(_part(part.removeprefix(b"\r\n")) for part in inner)


def _part(part: bytes) -> tuple[str, str | Upload]:
    head, _, content = part.partition(b"\r\n\r\n")
    parameters = {key.decode(): value.decode() for key, value in _PARAMETER.findall(head)}
    if "name" not in parameters:
        message = f"a part without a name: {head[:80]!r}"
        raise ValueError(message)
    if "filename" not in parameters:
        return parameters["name"], content.decode()
    kind = _TYPE.search(head)
    return parameters["name"], (parameters["filename"], content, kind[1].decode() if kind else "")
