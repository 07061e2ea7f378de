"""Reading a `Call` off the wire request."""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from intercept.spi import JSON, Call
from intercept_stainless.identity import Mark
from intercept_stainless.uploads import Digest, described_parts

# An idempotency key is no secret, and another for every request.
_SECRET_HEADER: Final = re.compile(r"auth|(?<!idempotency-)key|token|secret|cookie|credential|password", re.IGNORECASE)
# A path segment with a digit in it is an id or a model name, but for a version such as `v1`.
_VARIABLE: Final = re.compile(r"(?!v\d+(?:beta\d*)?$)(?=.*\d).*")


def describe(mark: Mark, request: Any, content: bytes) -> Call:
    """Make the call of one marked request and its whole body."""
    path = _relative(mark)
    body = _body(
        request.headers.get("content-type", ""),
        content,
        lambda opaque: mark.session.digest(opaque, secrets_of(mark, request)),
    )
    fields = body if isinstance(body, dict) else {}
    model = fields.get("model")
    return Call(
        adapter=mark.provider.adapter,
        provider=mark.provider.provider_of(mark.client),
        operation=f"{request.method} {_template(path)}",
        method=request.method,
        path=path,
        query=tuple(sorted(parse_qsl(request.url.query.decode("ascii"), keep_blank_values=True))),
        headers=tuple(
            sorted(
                (name.lower(), value)
                for name, value in request.headers.multi_items()
                if name.lower() in mark.provider.identity_headers
            )
        ),
        body=body,
        model=model if isinstance(model, str) else None,
        streaming=fields.get("stream") is True,
    )


def secrets_of(mark: Mark, request: Any) -> list[str]:
    """Collect the literal credentials of the calling client and of this request's headers."""
    found: list[str] = []
    for name in mark.provider.credentials:
        value = getattr(mark.client, name, None)
        if isinstance(value, str):
            found.append(value)
    for name, value in request.headers.multi_items():
        if _SECRET_HEADER.search(name):
            found += [value, *value.replace(";", " ").split()]  # "Bearer ...", "a=...; b=..."
    return found


def _relative(mark: Mark) -> str:
    """The path as the SDK names it: a page's absolute address loses the part that is the client's base URL."""
    parts = urlsplit(mark.path)
    path = parts.path
    if parts.scheme:
        base = urlsplit(str(mark.client.base_url)).path.rstrip("/")
        if base and path.startswith(base + "/"):
            path = path[len(base) :]
    return "/" + path.lstrip("/")


def _template(path: str) -> str:
    return "/".join("{id}" if _VARIABLE.fullmatch(segment) else segment for segment in path.split("/"))


def _body(content_type: str, content: bytes, digest: Digest) -> JSON:
    if not content:
        return None
    if content_type.startswith("multipart/form-data"):
        return described_parts(content_type, content, digest)
    try:
        parsed: JSON = json.loads(content)
    except (ValueError, RecursionError):
        return digest(content)
    return parsed
