"""What a request is known by: the SHA-256 of its canonical form, taken after redaction.

The numbers of placeholders do not count: whether a request holds a secret, or its placeholder because the answer that
gave it was replayed, it is the same request, also after rules have become stricter.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, cast

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.redaction.names import is_parameter
from intercept.redaction.placeholders import plain
from intercept.redaction.redactor import Redaction
from intercept.spi import Call

if TYPE_CHECKING:
    from intercept.redaction import Redactor
    from intercept.redaction.positions import Node
    from intercept.spi import JSON


_LONGEST_LOOKED_AT: Final = 16 * 1024 * 1024


def identified(call: Call, redactor: Redactor, untouched: Node) -> tuple[Call, str, Redaction]:
    """Return the call free of secrets, its request hash, and what redacts its answer.

    Raises `NotCanonical` where there is no hash, `RedactionError` for a hook that fails.
    """
    redaction = Redaction(redactor.finder)
    try:
        if redactor.custom:
            call = _wished(call, redactor, redaction)
        text = _canonical(call.adapter, call.provider, call.request)
        if redactor.finder.suspects(text) or any(is_parameter(name) for name, _ in call.query):
            redaction.reserve(text)
            call = redaction.call(call, untouched)
            text = _canonical(call.adapter, call.provider, call.request)
    except RecursionError:
        raise NotCanonical("it is nested too deep") from None
    return call, hashlib.sha256(canonical.encoded(plain(text))).hexdigest(), redaction


def _wished(call: Call, redactor: Redactor, redaction: Redaction) -> Call:
    """Apply what the user wants hidden, to the request as a row holds it."""
    request = redactor.custom.applied(dict(call.request), "request", redaction, body=("body",))
    return of_request(call, cast("dict[str, JSON]", request))


def digest(content: bytes, redactor: Redactor) -> dict[str, JSON]:
    """Describe opaque content; see `intercept.spi.Session`. What is very long is taken as it is."""
    if len(content) <= _LONGEST_LOOKED_AT:
        redaction = Redaction(redactor.finder)
        try:
            content = plain(redaction.text(content.decode())).encode()
        except UnicodeDecodeError:
            content = plain(redaction.bytes(content).decode("latin-1")).encode("latin-1")
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def of_request(call: Call, request: dict[str, JSON]) -> Call:
    """Return the call with another request, as a row holds it."""
    body = request.get("body")
    fields = body if isinstance(body, dict) else {}
    model = fields.get("model")
    return Call(
        adapter=call.adapter,
        provider=call.provider,
        operation=call.operation,
        method=str(request.get("method", "")),
        path=str(request.get("path", "")),
        query=_pairs(request.get("query")),
        headers=_pairs(request.get("headers")),
        body=body,
        model=model if isinstance(model, str) else None,
        streaming=call.streaming,
    )


def _pairs(value: JSON) -> tuple[tuple[str, str], ...]:
    pairs = cast("list[list[JSON]]", value) if isinstance(value, list) else []
    return tuple((str(name), str(text)) for name, text in pairs)


def request_hash(adapter: str, provider: str, request: dict[str, JSON]) -> str:
    """Return the hash of a stored request, as 64 hex digits."""
    return hashlib.sha256(canonical.encoded(plain(_canonical(adapter, provider, request)))).hexdigest()


def _canonical(adapter: str, provider: str, request: dict[str, JSON]) -> str:
    return canonical.text({"adapter": adapter, "provider": provider, **request})
