"""Texts that come in pieces: searched as a whole, and rewritten where the pieces stand."""

from __future__ import annotations

import io
from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from intercept.redaction.redactor import Redaction


class _Channel:
    """One text: all of it, and for each piece its event, its place among the pieces of that event, and its end."""

    def __init__(self) -> None:
        self.text = io.StringIO()
        self.ends = array("Q")
        self.events = array("Q")
        self.indexes = array("L")

    def add(self, event: int, index: int, piece: str) -> None:
        self.text.write(piece)
        self.ends.append(self.text.tell())
        self.events.append(event)
        self.indexes.append(index)


class Channels:
    """The texts of one answer, in the order in which they begin."""

    def __init__(self) -> None:
        self._channels: dict[Hashable, _Channel] = {}

    def add(self, channel: Hashable, event: int, index: int, piece: str) -> None:
        """Take in a piece: the `index`th of those that this event holds."""
        known = self._channels.get(channel)
        if known is None:
            known = self._channels[channel] = _Channel()
        known.add(event, index, piece)

    def edits(self, redaction: Redaction) -> dict[int, dict[int, str]]:
        """Return the new texts of pieces that a secret lies in, by event and by their place in it.

        Its placeholder stands where it begins; the pieces it runs through lose their part of it, and stay.
        """
        edits: dict[int, dict[int, str]] = {}
        for channel in self._channels.values():
            text = channel.text.getvalue()
            redaction.reserve(text)
            if not redaction.finder.suspects(text):
                continue
            for number, piece in _rewritten(redaction, text, channel).items():
                edits.setdefault(channel.events[number], {})[channel.indexes[number]] = piece
        return edits


def _rewritten(redaction: Redaction, text: str, channel: _Channel) -> dict[int, str]:
    """Return the pieces that change, by their numbers."""
    ends = channel.ends
    found: dict[int, list[str]] = {}
    kept: dict[int, int] = {}  # how far each of them is written
    for hit in redaction.finder.hits(text):
        first = bisect_right(ends, hit.start)
        for number in range(first, bisect_right(ends, hit.stop - 1) + 1):
            start = ends[number - 1] if number else 0
            parts = found.setdefault(number, [])
            parts.append(text[kept.get(number, start) : max(hit.start, start)])
            if number == first:
                parts.append(redaction.shown(hit))
            kept[number] = min(hit.stop, ends[number])
    return {number: "".join((*parts, text[kept[number] : ends[number]])) for number, parts in found.items()}
