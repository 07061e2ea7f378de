"""The events of one answer on their way to the disk: redacted when all are here, as a secret may lie across many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from intercept import events
from intercept.redaction.channels import Channels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from intercept.redaction.custom import Custom
    from intercept.redaction.positions import Node
    from intercept.redaction.redactor import Redaction
    from intercept.spi import JSON, Piece

_BATCH: Final = 256 * 1024
"""Bytes that are looked at in one go: nearly all of them are free of secrets."""
_PIECE: Final = 1 << 20
_encoder: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_frame: Final = json.JSONEncoder(separators=(",", ":"))


class Array:
    """A JSON array that is written value by value, in pieces of about 1 MiB: a long stream is held once, not twice."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._filling = bytearray(b"[")
        self._before = b""

    def write(self, value: bytes) -> None:
        """Take in one more value, which is encoded."""
        self._filling += self._before + value
        self._before = b","
        if len(self._filling) > _PIECE:
            self._pieces.append(bytes(self._filling))
            self._filling.clear()

    def add(self, value: JSON) -> None:
        """Encode one more value."""
        self.write(_encoder.encode(value).encode())

    def end(self) -> list[bytes]:
        """Return the pieces; joined they are the array."""
        return [*self._pieces, bytes(self._filling + b"]")]


class Answer:
    """Takes in events in their stored form, and gives them back as the JSON array of a row, free of secrets.

    They are kept encoded: a long stream is held once.
    """

    def __init__(
        self,
        redaction: Redaction,
        custom: Custom,
        untouched: Node,
        pieces: Callable[[Mapping[str, JSON]], Iterable[Piece]],
    ) -> None:
        self._redaction = redaction
        self._custom = custom
        self._untouched = untouched
        self._pieces = pieces
        self._events: list[bytes] = []
        self._channels = Channels(redaction)
        self._suspicious: set[int] = set()

    def add(self, stored: dict[str, JSON], carried: dict[str, JSON] | None) -> None:
        """Take in one event, and the JSON object it carries, if it does."""
        if self._custom:
            stored, carried = self._wished(stored, carried)
        number = len(self._events)
        if "base64" in stored:
            self._suspicious.add(number)
        text = _encoder.encode(stored)
        self._redaction.reserve(text)
        self._events.append(text.encode())
        if carried is not None:
            for index, piece in enumerate(self._pieces(carried)):
                self._channels.add(piece.channel, number, index, _at(carried, piece.path))

    def _wished(
        self, stored: dict[str, JSON], carried: dict[str, JSON] | None
    ) -> tuple[dict[str, JSON], dict[str, JSON] | None]:
        form = next(form for form in ("data", "json", "text", "base64") if form in stored)
        value = self._custom.applied(stored[form], "event", self._redaction)
        if form in ("text", "base64") and not isinstance(value, str):
            return {"text": _encoder.encode(value)}, None
        if form == "text":
            return {**stored, form: value}, carried if value == stored[form] else None
        return {**stored, form: value}, value if isinstance(value, dict) else None

    def end(self) -> list[bytes]:
        """Return the array, in pieces of about 1 MiB."""
        edits = self._channels.edits()
        self._suspicious.update(edits)
        array = Array()
        for event in self._redacted(edits):
            array.write(event)
        return array.end()

    def _redacted(self, edits: Mapping[int, dict[int, str]]) -> Iterator[bytes]:
        finder, kept = self._redaction.finder, self._events
        start = 0
        while start < len(kept):
            stop, size = start, 0
            while stop < len(kept) and (stop == start or size + len(kept[stop]) <= _BATCH):
                size += len(kept[stop])
                stop += 1
            batch = b",".join(kept[start:stop]).decode()
            suspicious = finder.suspects(batch)
            for number in range(start, stop):
                event, kept[number] = kept[number], b""
                if number in self._suspicious or (suspicious and finder.suspects(event.decode())):
                    event = _encoder.encode(self._rewritten(json.loads(event), edits.get(number, {}))).encode()
                yield event
            start = stop

    def _rewritten(self, event: dict[str, JSON], edits: Mapping[int, str]) -> JSON:
        redaction = self._redaction
        if isinstance(name := event.get("event"), str):
            event["event"] = redaction.text(name)
        if "base64" in event:
            event["base64"] = redaction.base64(str(event["base64"]))
        elif "text" in event:
            event["text"] = self._as_text(str(event["text"]), edits)
        else:
            form = "data" if "data" in event else "json"
            event[form] = self._value(event[form], edits)
        return event

    def _value(self, value: JSON, edits: Mapping[int, str]) -> JSON:
        """Redact JSON. The pieces of longer texts have been looked at as a whole: alone they tell less, or too much."""
        if not isinstance(value, dict):
            return self._redaction.json(value, self._untouched)
        pieces = list(self._pieces(value))
        texts = [edits.get(index, _at(value, piece.path)) for index, piece in enumerate(pieces)]
        for piece in pieces:
            _put(value, piece.path, "")
        kept = self._redaction.json(value, self._untouched)
        for index, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
            _put(kept, piece.path, text)
            if index in edits:
                for name, instead in piece.beside.items():
                    if name in _inside(kept, piece.path):
                        _put(kept, (*piece.path[:-1], name), instead)
        return kept

    def _as_text(self, text: str, edits: Mapping[int, str]) -> str:
        """Redact what is stored as it came; where a piece in it changes, its JSON is written anew."""
        if not edits:
            return self._redaction.text(text)
        head, value = events.carried_by(text)
        written = _frame.encode(self._value(value, edits))
        return f"{head}{written}\n\n" if head else written


def _at(value: Any, path: tuple[str | int, ...]) -> str:
    for step in path:
        value = value[step]
    return value if isinstance(value, str) else ""


def _inside(value: Any, path: tuple[str | int, ...]) -> dict[str, Any]:
    for step in path[:-1]:
        value = value[step]
    return cast("dict[str, Any]", value)


def _put(value: Any, path: tuple[str | int, ...], instead: JSON) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = instead
