r"""Texts inside of texts: what is written with the escapes of JSON, percent-encoded, or as base64.

A view is such an inner text, with the way back: where each of its parts stands in the text around it. So a secret that
is escaped, as tool arguments are, is found by what it is, and replaced where it stands.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

DEEPEST: Final = 4
"""How often a text may stand in another: JSON inside of JSON inside of base64."""

LARGEST: Final = 64 * 1024 * 1024
"""Bytes that a compressed text may have; what is larger is looked at only so far."""

_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])")
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PERCENT: Final = re.compile(r"(?:%[0-9a-fA-F]{2})+")
BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
"""What may be base64 of at least 18 bytes."""
_WRAPPED: Final = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,76}\r?\n){1,100000}[A-Za-z0-9+/]{0,76}={0,2}")
"""Base64 in lines, as mail and `base64` write it: a secret may run from one to the next."""
_URL_SAFE: Final = str.maketrans("-_", "+/")
_GZIP: Final = b"\x1f\x8b"


class _Piece(NamedTuple):
    """A part of an inner text, and where it comes from; one that was `escaped` is there as a whole or not at all."""

    start: int
    outer_start: int
    outer_stop: int
    escaped: bool


@dataclass(frozen=True)
class View:
    """An inner text. Without pieces, all of it comes from one place that cannot be divided."""

    text: str
    start: int
    stop: int
    pieces: tuple[_Piece, ...] = ()

    def outer(self, start: int, stop: int) -> tuple[int, int]:
        """Return where a part of this text stands in the text around it."""
        if not self.pieces:
            return self.start, self.stop
        first, last = self._piece(start), self._piece(stop - 1)
        return (
            first.outer_start if first.escaped else first.outer_start + start - first.start,
            last.outer_stop if last.escaped else last.outer_start + stop - last.start,
        )

    def _piece(self, position: int) -> _Piece:
        return self.pieces[bisect_right(self.pieces, position, key=lambda piece: piece.start) - 1]


def views(text: str) -> Iterator[View]:
    """Give the texts that stand in a text."""
    if "\\" in text and (view := _unescaped(text, _ESCAPE, _unescape)):
        yield view
    if "%" in text and (view := _unescaped(text, _PERCENT, _unquote)):
        yield view
    for found in BASE64.finditer(text):
        if decoded := decoded_base64(found[0]):
            yield View(decoded, found.start(), found.end())
    if "\n" in text:
        for found in _WRAPPED.finditer(text):
            if decoded := decoded_base64("".join(found[0].split())):
                yield View(decoded, found.start(), found.end())


def _unescaped(text: str, pattern: re.Pattern[str], decode: Callable[[str], str]) -> View | None:
    pieces: list[_Piece] = []
    parts: list[str] = []
    length = end = 0
    for found in pattern.finditer(text):
        start, stop = found.span()
        for part, at, to, escaped in ((text[end:start], end, start, False), (decode(found[0]), start, stop, True)):
            if part:
                pieces.append(_Piece(length, at, to, escaped))
                parts.append(part)
                length += len(part)
        end = stop
    if not pieces:
        return None
    if end < len(text):
        pieces.append(_Piece(length, end, len(text), escaped=False))
        parts.append(text[end:])
    return View("".join(parts), 0, len(text), tuple(pieces))


def _unescape(escape: str) -> str:
    letter, digits = escape[1], escape[2:]
    return chr(int(digits, 16)) if letter == "u" else _ESCAPED.get(letter, letter)


def _unquote(run: str) -> str:
    return bytes.fromhex(run.replace("%", "")).decode("utf-8", "replace")


def decoded_base64(run: str) -> str | None:
    """Return the text that a run of base64 holds, packed by gzip or not; None for anything else."""
    bare = run.rstrip("=")
    if len(bare) % 4 == 1:
        bare = bare[:-1]
    if "-" in bare or "_" in bare:
        bare = bare.translate(_URL_SAFE)
    try:
        content = binascii.a2b_base64(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return None
    try:
        return content.decode()  # a blob of random bytes is no UTF-8
    except UnicodeDecodeError:
        return unpacked(content)


def unpacked(content: bytes) -> str | None:
    """Return the text that gzip has packed, as far as it goes; None for anything else."""
    if not content.startswith(_GZIP):
        return None
    try:
        return zlib.decompressobj(31).decompress(content, LARGEST).decode("utf-8", "replace")
    except zlib.error:
        return None


def written_as(literal: str) -> Iterator[str]:
    """Give the ways in which a known secret can be written that no view shows: in base64, wherever it stands, and hex.

    In base64 three bytes are four characters, so it depends on what stands before; the characters that a neighbour has
    a part in are left out.
    """
    content = literal.encode("utf-8", "surrogatepass")
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + content).decode().rstrip("=")
        first = -(-before * 8 // 6)
        last = (before + len(content)) * 8 // 6
        inner = encoded[first:last]
        yield inner
        yield inner.replace("+", "-").replace("/", "_")
    yield content.hex()
    yield content.hex().upper()


def escaped(text: str) -> set[str]:
    """Return how a text looks where JSON is looked at as it is written, inside of JSON or not."""
    forms = newest = {text}
    for _ in range(DEEPEST):
        newest = {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in newest for ascii_only in (False, True)}
        if newest <= forms:
            break
        forms = forms | newest
    return forms
