"""Texts that come in pieces: searched as a whole, and rewritten where the pieces stand."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from intercept.redaction.finding import Hit
    from intercept.redaction.redactor import Redaction

_WINDOW: Final = 1 << 18
"""Letters that are searched at once: a longer text is never held whole."""
_OVERLAP: Final = 1 << 16
"""Letters at the end of a window that are searched again with what follows: longer than any secret."""
_CONTEXT: Final = 256
"""Letters before a window that are looked at with it, so that it begins in the middle of no word."""


class _Channel:
    """What is to be decided of one text: its pieces, each with its event and its place among the pieces there."""

    def __init__(self) -> None:
        self.before = ""
        self.parts: list[str] = []
        self.ends = array("Q")
        self.events = array("Q")
        self.indexes = array("L")
        self.enough = _WINDOW

    def add(self, event: int, index: int, piece: str) -> bool:
        """Take in a piece; tell whether there is enough to look at."""
        self.parts.append(piece)
        self.ends.append((self.ends[-1] if self.ends else 0) + len(piece))
        self.events.append(event)
        self.indexes.append(index)
        return self.ends[-1] > self.enough

    def drop(self, count: int, text: str) -> None:
        """Forget the first pieces, which are decided."""
        end = self.ends[count - 1]
        self.before = (self.before + text[:end])[-_CONTEXT:]
        del self.parts[:count], self.events[:count], self.indexes[:count]
        self.ends = array("Q", (each - end for each in self.ends[count:]))


class Channels:
    """The texts of one answer, in the order in which they begin."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._channels: dict[Hashable, _Channel] = {}
        self._edits: dict[int, dict[int, str]] = {}

    def add(self, channel: Hashable, event: int, index: int, piece: str) -> None:
        """Take in a piece: the `index`th of those that this event holds."""
        known = self._channels.get(channel)
        if known is None:
            known = self._channels[channel] = _Channel()
        if known.add(event, index, piece):
            self._decide(known, known.ends[-1] - _OVERLAP)

    def edits(self) -> dict[int, dict[int, str]]:
        """Return the new texts of pieces that a secret lies in, by event and by their place in it.

        Its placeholder stands where it begins; the pieces it runs through lose their part of it, and stay.
        """
        for channel in self._channels.values():
            if channel.ends:
                self._decide(channel, channel.ends[-1])
        return self._edits

    def _decide(self, channel: _Channel, limit: int) -> None:
        """Rewrite the pieces up to this place, or up to a secret that runs over it."""
        text = "".join(channel.parts)
        hits = self._hits(channel.before, text)
        for hit in reversed(hits):
            limit = hit.start if hit.start < limit < hit.stop else limit
        count = bisect_right(channel.ends, limit)
        for hit in reversed(hits):
            if count and hit.start < channel.ends[count - 1] < hit.stop:
                count = bisect_right(channel.ends, hit.start)
        if not count:
            channel.enough *= 2  # one long piece, or one long secret
            return
        decided = [hit for hit in hits if hit.stop <= channel.ends[count - 1]]
        for number, piece in _rewritten(self._redaction, text, decided, channel.ends).items():
            self._edits.setdefault(channel.events[number], {})[channel.indexes[number]] = piece
        channel.drop(count, text)

    def _hits(self, before: str, text: str) -> list[Hit]:
        whole = before + text
        self._redaction.reserve(whole)
        if not self._redaction.finder.suspects(whole):
            return []
        skipped = len(before)
        return [
            hit._replace(start=hit.start - skipped, stop=hit.stop - skipped)
            for hit in self._redaction.finder.hits(whole)
            if hit.start >= skipped
        ]


def _rewritten(redaction: Redaction, text: str, hits: Sequence[Hit], ends: array[int]) -> dict[int, str]:
    """Return the pieces that change, by their numbers."""
    found: dict[int, list[str]] = {}
    kept: dict[int, int] = {}  # how far each of them is written
    for hit in hits:
        first = bisect_right(ends, hit.start)
        for number in range(first, bisect_right(ends, hit.stop - 1) + 1):
            start = ends[number - 1] if number else 0
            parts = found.setdefault(number, [])
            parts.append(text[kept.get(number, start) : max(hit.start, start)])
            if number == first:
                parts.append(redaction.shown(hit))
            kept[number] = min(hit.stop, ends[number])
    return {number: "".join((*parts, text[kept[number] : ends[number]])) for number, parts in found.items()}
