"""What a reader demands of each line, and what it says when a line does not comply.

The types are msgspec's: one typed decode a line checks every field; what is served later stays undecoded until then.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Annotated, Final, Literal

import msgspec

from intercept.canonical import HASH_VERSION
from intercept.cassette.format import HIGHEST_OCCURRENCE, KIND, LONGEST_ROW, ROW_KIND, VERSION
from intercept.errors import CassetteError
from intercept.spi import Caps, Contradiction, Usage

_LONGEST_ESCAPE: Final = len("\\ud83d\\ude00")
_UNFINISHED: Final = ("true", "false", "null", "-", ".", "e", "e+", "e-", "E", "E+", "E-")
_CONFLICT: Final = re.compile(rb"^(<{7}|={7}|>{7}|\|{7})(?= |\r?$)", re.MULTILINE)
_HEX: Final = "0123456789abcdef"
_GZIP: Final = b"\x1f\x8b"


class Header(msgspec.Struct, frozen=True):
    """Line 1."""

    kind: str
    v: int
    hash_version: int
    redaction: str = ""
    sdks: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    # Where rows are still to take their place: the mode in which they were recorded, and the cassette's name, which is
    # empty for the folder that the file lies in.
    mode: str | None = None
    cassette: str | None = None


_Status = Annotated[int, msgspec.Meta(ge=100, le=599)]


class HopRow(msgspec.Struct, frozen=True):
    """A redirect that was followed on the way to the answer."""

    status: _Status
    headers: list[tuple[str, str]]


class Row(msgspec.Struct, frozen=True, gc=False):
    """Any other line. `request`, `events` and `caps` stay as they are in the file until they are asked for."""

    adapter: str
    request_hash: Annotated[str, msgspec.Meta(min_length=64, max_length=64)]
    request: msgspec.Raw
    status: _Status | None  # None: it failed before any answer
    headers: list[tuple[str, str]]
    events: msgspec.Raw
    end: Literal["complete", "closed", "truncated"]
    provider: str = ""
    operation: str = ""
    model: str | None = None
    occurrence: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST_OCCURRENCE)] | None = None
    failure: str | None = None
    hops: list[HopRow] = msgspec.field(default_factory=list[HopRow])
    caps: msgspec.Raw = msgspec.Raw(b"null")
    usage: Usage | None = None
    usage_semantics: str | None = None
    test: str | None = None
    sequence: int | None = None  # only where rows wait to be put in order
    kind: str = ROW_KIND


class FileHead(msgspec.Struct, frozen=True):
    """What a row that has a file to itself tells beside: what else the header would."""

    v: int
    hash_version: int
    redaction: str = ""
    sdks: dict[str, str] = msgspec.field(default_factory=dict[str, str])


_header: Final = msgspec.json.Decoder(Header)
_head: Final = msgspec.json.Decoder(FileHead)
_row: Final = msgspec.json.Decoder(Row)
_caps: Final = msgspec.json.Decoder(Caps | None)
_FIELD: Final = re.compile(r"^(.*?) - at `\$\.?(.*)`$", re.DOTALL)


def decode_header(where: str, line: bytes) -> Header:
    """Decode line 1; raise `CassetteError` for a file that is no cassette, or one of another version."""
    try:
        line.decode()
        header = _header.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = _befallen(line) or f"this is not the header of an intercept cassette ({_reason(error)})"
        raise CassetteError(where, reason) from None
    if header.kind != KIND:
        raise CassetteError(where, f'kind: "{header.kind:.40}" is not "{KIND}", so this is not an intercept cassette')
    _refuse_versions(where, header)
    return header


def decode_head(where: str, text: bytes) -> Header:
    """Decode what a row's own file tells in place of a header; raise `CassetteError` as for a header."""
    try:
        head = _head.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CassetteError(where, _befallen(text) or _reason(error)) from None
    header = Header(KIND, head.v, head.hash_version, head.redaction, head.sdks)
    _refuse_versions(where, header)
    return header


def _refuse_versions(where: str, header: Header) -> None:
    if header.v != VERSION:
        raise CassetteError(
            where,
            f"v: this cassette has format version {header.v}, and this intercept reads version {VERSION}; "
            "install a matching sdk-intercept, or record it anew",
        )
    if header.hash_version != HASH_VERSION:
        raise CassetteError(
            where,
            f"hash_version: requests were hashed by version {header.hash_version}, and this intercept uses version "
            f"{HASH_VERSION}; install a matching sdk-intercept, or record it anew",
        )


def decode_row(where: str, line: bytes) -> Row:
    """Decode one row; raise `CassetteError` that names the field and the reason."""
    if len(line) > LONGEST_ROW:
        raise CassetteError(where, f"a row may have {LONGEST_ROW} bytes, and this one has {len(line)}")
    try:
        row = _row.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if f'"{KIND}"'.encode() in line[:200]:
            raise CassetteError(where, "a second header stands here; are these two cassettes in one file?") from None
        raise CassetteError(where, _befallen(line) or _reason(error)) from None
    if row.kind != ROW_KIND:
        raise CassetteError(where, f'kind: "{row.kind:.40}" is a kind of row that this intercept does not know')
    if fault := _fault(row):
        raise CassetteError(where, fault)
    return row


def decode_caps(where: str, caps: bytes) -> Caps | None:
    """Decode the capabilities that a row tells; raise `CassetteError` that names the field and the reason."""
    try:
        return _caps.decode(caps)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CassetteError(where, f"caps.{_reason(error)}") from None


def _fault(row: Row) -> str | None:
    """Say which field of a row is none of its kind, or which contradict each other."""
    if row.request_hash.strip(_HEX):  # a pattern would take a tenth of the time in which a cassette is opened
        return "request_hash: these are not 64 hexadecimal digits"
    if row.status is None and row.failure is None:
        return "status: it is null, as for a call that got no answer, and no failure says why"
    if row.usage is None:
        return None
    if row.usage_semantics is None:
        return "usage_semantics: it is missing, so nobody can tell what the numbers in usage mean"
    try:
        row.usage.check()
    except Contradiction as error:
        return f"usage: it cannot be true: {error}"
    return None


def is_cut(line: bytes) -> bool:
    """Whether a line is the beginning of a JSON object, and nothing else is wrong with it.

    A file system may fill the end of a file with NUL bytes after a power loss.
    """
    line = line.rstrip(b"\0")
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(line)  # which lets a last character be incomplete
        json.loads(text)
    except json.JSONDecodeError as error:
        rest = error.doc[error.pos :]
        unfinished = error.msg.startswith("Unterminated string") or (
            len(rest) < _LONGEST_ESCAPE and "escape" in error.msg
        )
        return unfinished or any(word.startswith(rest) for word in _UNFINISHED)
    except (ValueError, RecursionError):
        return False
    return False


def _befallen(text: bytes) -> str | None:
    """Say what other tools have done to a text that cannot be decoded."""
    if text.startswith(_GZIP):
        return "this is compressed by gzip, and a cassette is plain text; unpack it"
    if marker := _CONFLICT.search(text):
        return f"a git merge left its marker {marker[1].decode()} here; resolve the conflict"
    return None


def _reason(error: Exception) -> str:
    """Turn msgspec's words into `field: reason`."""
    text = str(error)
    found = _FIELD.match(text)
    return f"{found[2]}: {found[1]}" if found else text
