"""Texts that an answer holds piece by piece: joined, as a secret may lie across many pieces."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from intercept.scan.noting import Noting
    from intercept.spi import JSON, Adapter

JOINED: Final = ", joined text"
_LINE: Final = re.compile(r"^[ \t]*(?:data:[ \t]*)?(\{.*\})[ \t\r]*$", re.MULTILINE)
"""An event in JSON, by itself or in the data of a server-sent event."""
_FEWEST: Final = 2


def events_in(text: str) -> Iterator[Mapping[str, Any]]:
    """Give the JSON objects that stand in a text line by line; what is no JSON is passed over."""
    if "{" not in text or "\n" not in text:
        return
    for found in _LINE.finditer(text):
        try:
            value = json.loads(found[1])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield cast("dict[str, Any]", value)


class Joining:
    """Joins the pieces of events, as every installed adapter knows them, and looks at each text as a whole."""

    def __init__(self, adapters: Iterable[Adapter]) -> None:
        self._adapters = tuple(adapters)

    def look(self, events: Iterable[Mapping[str, JSON]], noting: Noting) -> None:
        """Take note of what only the joined texts hold."""
        channels: dict[Hashable, list[Any]] = {}  # a text and the number of its pieces
        for event in events:
            for adapter in self._adapters:
                try:
                    for piece in adapter.pieces(event):
                        channel = channels.setdefault((adapter.name, piece.channel), [StringIO(), 0])
                        channel[0].write(_at(event, piece.path))
                        channel[1] += 1
                except (TypeError, ValueError, LookupError, AttributeError):
                    continue  # not one of this provider's
        for text, count in channels.values():
            if count >= _FEWEST:
                _look_at(text.getvalue(), noting)


def _look_at(text: str, noting: Noting) -> None:
    before, part = len(noting.notes), noting.part
    noting.part += JOINED
    try:
        noting.text(text)
    finally:
        noting.part = part
    told = [note for note in noting.notes[:before] if note.start == noting.start]
    noting.notes[before:] = [
        note for note in noting.notes[before:] if not any(_same(note.value, other.value) for other in told)
    ]


def _same(joined: str, alone: str) -> bool:
    """Whether a secret was met before as it stands in one piece."""
    return joined == alone or (len(alone) > 15 and joined.startswith(alone))  # noqa: PLR2004


def _at(value: Any, path: tuple[str | int, ...]) -> str:
    for step in path:
        value = value[step]
    return value if isinstance(value, str) else ""
