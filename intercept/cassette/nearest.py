"""The recorded request that is most like one that was never recorded."""

from __future__ import annotations

from contextlib import suppress
from heapq import nlargest
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from intercept.differences import Difference, differences, flat, likeness
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.cassette.index import Cassette, Key, Place
    from intercept.cassette.rows import Row
    from intercept.spi import JSON, Call

_LOOKED_AT: Final = 24
"""Rows that are compared in full: those that have most words in common."""
_LONGEST_WORD: Final = 24
_PIECE: Final = 9
"""Bytes: three Chinese characters."""
_BLANKS: Final = bytes(ord(" ") if chr(byte).isascii() and not chr(byte).isalnum() else byte for byte in range(256))
"""Puts a blank in the place of whatever is no letter of a word."""


class Nearest(NamedTuple):
    """The nearest row: its key and place, how much it is alike (0 to 1), and all that differs."""

    key: Key
    place: Place
    likeness: float
    differences: tuple[Difference, ...]


def nearest(cassette: Cassette, call: Call) -> Nearest | None:
    """Return the row whose request is most like that of a call, the first of several; None if none can be read.

    Every row is read once and compared by its words; the best are compared message by message, as they would be stored
    today.
    """
    asked = _compared(call.adapter, call.provider, call.request)
    words = _words(msgspec.json.encode(call.request))
    rough = (
        (_shared(words, _words(bytes(row.request))), -number, key, place, row)
        for number, (key, place, row) in enumerate(_rows(cassette))
    )
    found: tuple[float, int, Key, Place, dict[str, JSON]] | None = None
    for _, number, key, place, row in nlargest(_LOOKED_AT, rough):
        recorded = _compared(row.adapter, row.provider, cassette.request(place, row))
        alike = likeness(recorded, asked)
        if found is None or (alike, number) > found[:2]:
            found = alike, number, key, place, recorded
    if found is None:
        return None
    alike, _, key, place, recorded = found
    return Nearest(key, place, alike, tuple(differences(recorded, asked)))


def _rows(cassette: Cassette) -> Iterator[tuple[Key, Place, Row]]:
    """Give what can be read: a row that cannot is told of when it is served."""
    for key, place in cassette.in_order():
        with suppress(CassetteError):
            yield key, place, cassette.row(place)


def _compared(adapter: str, provider: str, request: dict[str, JSON]) -> dict[str, JSON]:
    return {"adapter": adapter, "provider": provider, **flat(request)}


def _words(text: bytes) -> set[bytes]:
    """Return the words of a JSON text; of long ones, as of languages without blanks, the pieces."""
    words = set(text.translate(_BLANKS).split())
    if max(map(len, words), default=0) > _LONGEST_WORD:
        long = [word for word in words if len(word) > _LONGEST_WORD]
        words.difference_update(long)
        words.update(word[at : at + _PIECE] for word in long for at in range(0, len(word), _PIECE))
    return words


def _shared(one: set[bytes], other: set[bytes]) -> float:
    return 2 * len(one & other) / (len(one) + len(other) or 1)
