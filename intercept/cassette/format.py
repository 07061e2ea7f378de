"""The format of a cassette, version 1: line 1 a header, then one row for each HTTP attempt.

UTF-8, one JSON object a line, every line ended by a newline. Readers keep to what they know and let unknown fields be;
unknown versions and kinds of row are refused.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from intercept.canonical import HASH_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from intercept.spi import JSON, Call, Caps, End, Hop, Usage

KIND: Final = "intercept-cassette"
VERSION: Final = 1
ROW_KIND: Final = "exchange"
HIGHEST_OCCURRENCE: Final = 2**53 - 1
LONGEST_ROW: Final = 128 * 1024 * 1024
"""Bytes; a longer row is refused."""


Piece: TypeAlias = "bytes | memoryview"


@dataclass(frozen=True, slots=True, repr=False)
class Exchange:
    """A call and what came back, as one row holds them.

    `status` is None where no answer came. `events` are encoded, see `Array`; `test` is the part of a test run that
    recorded it, if one did. `occurrence` is None, and `sequence` the moment of the call, where the row waits to be put
    in order.
    """

    call: Call
    request_hash: str
    occurrence: int | None
    status: int | None
    headers: tuple[tuple[str, str], ...]
    events: Sequence[bytes]
    end: End
    failure: str | None = None
    hops: tuple[Hop, ...] = ()
    usage: Usage | None = None
    usage_semantics: str | None = None
    test: str | None = None
    caps: Caps | None = None
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Of what a cassette is made: the versions of SDKs by their names, and the rules by which it was redacted."""

    sdks: Mapping[str, str]
    redaction: str


def header(origin: Origin, **more: str) -> bytes:
    """Write line 1."""
    return _json({"kind": KIND, **facts(origin), **more}) + b"\n"


def facts(origin: Origin) -> dict[str, Any]:
    """Return what a cassette tells of its making."""
    return {
        "v": VERSION,
        "hash_version": HASH_VERSION,
        "sdks": dict(sorted(origin.sdks.items())),
        "redaction": origin.redaction,
    }


def merged_header(line: bytes, origin: Origin) -> bytes:
    """Write line 1 of a cassette that keeps rows: it stays as it is, but for new versions of SDKs."""
    fields: dict[str, msgspec.Raw] = _fields.decode(line)
    known: dict[str, str] = msgspec.json.decode(fields.get("sdks", b"{}"))
    together: dict[str, JSON] = dict(sorted({**known, **origin.sdks}.items()))
    return line + b"\n" if together == known else b"".join(rewritten(line, sdks=together))


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
    tail["caps"] = told(exchange.caps)
    if exchange.sequence is not None:
        tail["sequence"] = exchange.sequence
    return [_json(head)[:-1] + b',"events":', *exchange.events, b"," + _json(tail)[1:] + b"\n"]


def rewritten(text: bytes, **changes: JSON) -> list[Piece]:
    """Write a row once more with other values in some fields; in pieces, most of them parts of `text`.

    `sequence` is left out: a row that is written again has found its place.
    """
    fields: dict[str, msgspec.Raw] = _fields.decode(text)
    fields.pop("sequence", None)
    fields |= {name: msgspec.Raw(_json(value)) for name, value in changes.items()}
    pieces: list[Piece] = []
    for name, value in fields.items():
        pieces += [b"," if pieces else b"{", _json(name), b":", memoryview(value)]
    return [*pieces, b"}\n"]


def told(caps: Caps | None) -> JSON:
    """Return capabilities as a row tells them."""
    return None if caps is None else asdict(caps)


def filed(row: Sequence[Piece], origin: Origin) -> bytes:
    """Write a row that has a file to itself, with what else the header tells, for people to read and git to merge."""
    text = b"".join((_json(facts(origin))[:-1], b",", b"".join(row)[1:]))
    return msgspec.json.format(text, indent=2) + b"\n"


def _json(value: Any) -> bytes:
    return _encoder.encode(value).encode()


_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_fields: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
