"""What a request is known by: the SHA-256 of its canonical form, taken after redaction."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from intercept import canonical
from intercept.canonical import NotCanonical

if TYPE_CHECKING:
    from intercept.redaction import Redactor
    from intercept.spi import JSON, Call


def identified(call: Call, redactor: Redactor) -> tuple[Call, str]:
    """Return the call free of secrets, and its request hash; raise `NotCanonical` where there is none."""
    text = _canonical(call.adapter, call.provider, call.request)
    if redactor.finds(text):
        try:
            call = redactor.call(call)
        except RecursionError:
            raise NotCanonical("it is nested too deep") from None
        text = _canonical(call.adapter, call.provider, call.request)
    return call, hashlib.sha256(text).hexdigest()


def request_hash(adapter: str, provider: str, request: dict[str, JSON]) -> str:
    """Return the hash of a stored request, as 64 hex digits."""
    return hashlib.sha256(_canonical(adapter, provider, request)).hexdigest()


def _canonical(adapter: str, provider: str, request: dict[str, JSON]) -> bytes:
    return canonical.dumps({"adapter": adapter, "provider": provider, **request})
