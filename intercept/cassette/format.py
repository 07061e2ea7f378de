"""The format of a cassette, version 1: line 1 a header, then one row for each HTTP attempt.

UTF-8, one JSON object a line, every line ended by a newline. Readers keep to what they know and let unknown fields be;
unknown versions and kinds of row are refused.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from intercept.canonical import HASH_VERSION
from intercept.redaction import FINGERPRINT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from intercept.spi import JSON, Call, End, Usage

KIND: Final = "intercept-cassette"
VERSION: Final = 1
ROW_KIND: Final = "exchange"
HIGHEST_OCCURRENCE: Final = 2**53 - 1
LONGEST_ROW: Final = 128 * 1024 * 1024
"""Bytes; a longer row is refused."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call and what came back, as one row holds them.

    `events` are in the forms of `intercept.events`; `test` is the part of a test run that recorded it, if one did.
    """

    call: Call
    request_hash: str
    occurrence: int
    status: int
    headers: tuple[tuple[str, str], ...]
    events: list[JSON]
    end: End
    failure: str | None = None
    usage: Usage | None = None
    usage_semantics: str | None = None
    test: str | None = None


def header(sdks: Mapping[str, str]) -> bytes:
    """Write line 1; `sdks` maps the names of SDKs to their versions."""
    return _line(
        {
            "kind": KIND,
            "v": VERSION,
            "hash_version": HASH_VERSION,
            "sdks": dict(sorted(sdks.items())),
            "redaction": FINGERPRINT,
        }
    )


def row(exchange: Exchange) -> bytes:
    """Write one row. The order of its fields is fixed, so that recordings can be compared line by line."""
    call = exchange.call
    fields: dict[str, Any] = {
        "adapter": call.adapter,
        "provider": call.provider,
        "operation": call.operation,
        "model": call.model,
        "occurrence": exchange.occurrence,
        "request_hash": exchange.request_hash,
        "request": call.request,
        "status": exchange.status,
        "headers": [list(pair) for pair in exchange.headers],
        "events": exchange.events,
        "end": exchange.end,
    }
    if exchange.failure is not None:
        fields["failure"] = exchange.failure
    fields["caps"] = None
    fields["usage"] = None if exchange.usage is None else asdict(exchange.usage)
    fields["usage_semantics"] = exchange.usage_semantics
    if exchange.test is not None:
        fields["test"] = exchange.test
    return _line(fields)


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
