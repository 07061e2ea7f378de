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
    from collections.abc import Mapping, Sequence

    from intercept.spi import JSON, Call, Caps, End, Hop, Usage

KIND: Final = "intercept-cassette"
VERSION: Final = 1
ROW_KIND: Final = "exchange"
HIGHEST_OCCURRENCE: Final = 2**53 - 1
LONGEST_ROW: Final = 128 * 1024 * 1024
"""Bytes; a longer row is refused."""


NO_CAPS: Final = b"null}\n"
"""How a row ends that does not tell the model's capabilities yet; they are put in when it takes its final place."""

_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call and what came back, as one row holds them.

    `status` is None where no answer came. `events` are encoded, see `Array`; `test` is the part of a test run that
    recorded it, if one did.
    """

    call: Call
    request_hash: str
    occurrence: int
    status: int | None
    headers: tuple[tuple[str, str], ...]
    events: Sequence[bytes]
    end: End
    failure: str | None = None
    hops: tuple[Hop, ...] = ()
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


class Array:
    """A JSON array that is written value by value, in pieces of about 1 MiB: a long stream is held once, not twice."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._filling = bytearray(b"[")
        self._before = b""

    def add(self, value: JSON) -> None:
        """Write one more value."""
        self._filling += self._before + _json(value)
        self._before = b","
        if len(self._filling) > _PIECE:
            self._pieces.append(bytes(self._filling))
            self._filling.clear()

    def end(self) -> list[bytes]:
        """Return the pieces; joined they are the array."""
        return [*self._pieces, bytes(self._filling + b"]")]


def row(exchange: Exchange) -> list[bytes]:
    """Write one row, in pieces. The order of its fields is fixed, so that recordings can be compared line by line."""
    call = exchange.call
    head: dict[str, Any] = {
        "adapter": call.adapter,
        "provider": call.provider,
        "operation": call.operation,
        "model": call.model,
        "occurrence": exchange.occurrence,
        "request_hash": exchange.request_hash,
        "request": call.request,
        "status": exchange.status,
        "headers": [list(pair) for pair in exchange.headers],
    }
    if exchange.hops:
        head["hops"] = [
            {"status": hop.status, "headers": [list(pair) for pair in hop.headers]} for hop in exchange.hops
        ]
    tail: dict[str, Any] = {"end": exchange.end}
    if exchange.failure is not None:
        tail["failure"] = exchange.failure
    tail["usage"] = None if exchange.usage is None else asdict(exchange.usage)
    tail["usage_semantics"] = exchange.usage_semantics
    if exchange.test is not None:
        tail["test"] = exchange.test
    tail["caps"] = None
    return [_json(head)[:-1] + b',"events":', *exchange.events, b"," + _json(tail)[1:] + b"\n"]


def with_caps(caps: Caps | None) -> bytes:
    """Return what takes the place of `NO_CAPS`."""
    return _json(None if caps is None else asdict(caps)) + b"}\n"


def _line(fields: Mapping[str, Any]) -> bytes:
    return _json(fields) + b"\n"


def _json(value: Any) -> bytes:
    return _encoder.encode(value).encode()


_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
