"""What was on the wire, from what a recorder wrote: bodies decoded, headers as pairs, addresses made comparable."""

from __future__ import annotations

import json
import re
import zlib
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .recording import Headers

_GZIP = b"\x1f\x8b"
_CEILING = 64 * 1024 * 1024
_FRAMING = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_HOSTS = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "openrouter.ai": "openrouter",
    "router.huggingface.co": "huggingface",
}
_AZURE_PREFIX = re.compile(r"/openai/deployments/[^/]+/|/models/")
_GATEWAY_PREFIX = re.compile(r"(/[^/]+)*?/v1/")


def compact(value: object) -> bytes:
    """The JSON an SDK sends: no spaces, no escapes beyond the needed, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def decoded(body: str | bytes | None) -> bytes:
    """The bytes of a recorded body: text encoded, gzip undone.

    Raises:
        ValueError: it unpacks to more than 64 MiB.

    """
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    # The first bytes decide: some recorders kept the header `content-encoding: gzip` over a body already plain.
    if not body.startswith(_GZIP):
        return body
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    plain = unpacker.decompress(body, _CEILING)
    if unpacker.unconsumed_tail:
        message = f"a gzip body unpacks to more than {_CEILING} bytes"
        raise ValueError(message)
    return plain


def pairs(headers: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Every header as a pair, in order, a list of values as several."""
    for name, values in (headers or {}).items():
        for value in cast("list[object]", values) if isinstance(values, list) else [values]:
            yield str(name), str(value)


def unframed(headers: Mapping[str, Any] | None) -> Headers:
    """The headers of a response but those that are true of the encoded body only."""
    return tuple((name, value) for name, value in pairs(headers) if name.lower() not in _FRAMING)


def content_type(headers: Mapping[str, Any] | None) -> str:
    """The content type, or "" where the recorder kept none."""
    return next((value for name, value in pairs(headers) if name.lower() == "content-type"), "")


def provider_of(url: str) -> str:
    """Who was asked, from the host."""
    host = urlsplit(url).hostname or ""
    return "azure-openai" if host.endswith(".azure.com") else _HOSTS.get(host, host)


def path_of(url: str) -> str:
    """The path as the official SDK writes it against the provider's own host.

    Azure's deployments and the prefixes of gateways go: `/api/v1/chat/completions` becomes `/v1/chat/completions`.
    """
    path = re.sub(r"^/+", "/", urlsplit(url).path)
    if provider_of(url) == "azure-openai":
        return _AZURE_PREFIX.sub("/v1/", path, count=1)
    return _GATEWAY_PREFIX.sub("/v1/", path, count=1)
