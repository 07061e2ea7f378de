r"""Bodies as events, and back to the very bytes.

A JSON body is one event, a stream has one for each server-sent event, JSON lines one a line, and anything else is one
piece of text or base64. An event is stored parsed where writing it again gives its very bytes (`style` says how it was
written), else as raw text. So a replay is byte-identical, yet a person can read and compare it. The forms:

    {"event": "ping", "data": {...}}     event: ping\ndata: {...}\n\n       (`event` only where the stream had it)
    {"json": {...}}                      a JSON body, or one of several JSON lines
    {"text": ": keep-alive\n\n"}         whatever it is
    {"base64": "..."}                    what is no UTF-8

`style` is absent for compact JSON; `pad` counts blanks before the brace that closes it (Anthropic pads its events so),
and `tail` holds blanks and newlines after it.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, cast

if TYPE_CHECKING:
    from intercept.spi import JSON


class MalformedEvent(ValueError):
    """A stored event has none of the known forms."""


class Event(NamedTuple):
    """One event: its stored form, and the JSON object it carries; None without one."""

    stored: dict[str, JSON]
    carried: dict[str, JSON] | None


def _encoder(*, ascii_only: bool, spaced: bool, indent: int | None) -> json.JSONEncoder:
    colon = ": " if spaced or indent else ":"
    comma = ", " if spaced and not indent else ","
    return json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False, separators=(comma, colon), indent=indent)


_STYLES: Final = {
    f"{shape}{suffix}": _encoder(ascii_only=bool(suffix), spaced=shape == "spaced", indent=indent)
    for shape, indent in (("compact", None), ("spaced", None), ("indent-2", 2), ("indent-4", 4))
    for suffix in ("", "-ascii")
}
_BLOCK_END: Final = re.compile(rb"\n\n|\r\n\r\n|\r\r")
_JSON_LINE_END: Final = re.compile(rb"\n")
_LONGEST_END: Final = len(b"\r\n\r\n")
_BATCH: Final = 1 << 20
"""Bytes of a stream that are cut into events at once."""
_FRAME: Final = re.compile(r"(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n")
_TAIL: Final = " \t\r\n"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_PADDED: Final = re.compile(r"(.*[^ ])( {1,1024})}", re.DOTALL)
_LONGEST_PAD: Final = 1024
_DEEPEST: Final = 100
"""Levels of nesting; what is deeper is kept as text, as not every reader of JSON could follow."""


def is_stream(content_type: str) -> bool:
    """Whether a body of this type is made of server-sent events."""
    return _kind(content_type) == "text/event-stream"


def is_whole(block: bytes) -> bool:
    """Whether a server-sent event has its closing blank line, or is but one more blank line behind another."""
    return block.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")) or not block.strip(b"\r\n")


def _kind(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def split(content_type: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut a body into the events it is made of; joined they are the body.

    A stream is taken in as it is cut, so that whoever gives its chunks away need not hold it twice.
    """
    kind = _kind(content_type)
    if kind == "text/event-stream":
        yield from _cut(_BLOCK_END, chunks)
    elif kind in ("application/x-jsonl", "application/jsonl", "application/x-ndjson"):
        yield from _cut(_JSON_LINE_END, chunks)
    elif body := b"".join(chunks):
        yield body


def _cut(end: re.Pattern[bytes], chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut behind every match, also behind those that overlap, however the chunks divide the body."""
    text, start = b"", 0  # `start` is where the next piece begins; what stands before it may be part of one more end
    for batch in _batches(chunks):
        kept = max(0, start - _LONGEST_END)
        at = max(0, len(text) - kept - _LONGEST_END)
        text, start = text[kept:] + batch, start - kept
        while found := end.search(text, at):
            at = found.start() + 1
            if found.end() > start:
                yield text[start : found.end()]
                start = found.end()
    if start < len(text):
        yield text[start:]


def _batches(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Join chunks, which may be single bytes, to pieces that are worth a search."""
    waiting: list[bytes] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= _BATCH:
            yield b"".join(waiting)
            waiting.clear()
            size = 0
    yield b"".join(waiting)


def named(block: bytes) -> tuple[str | None, str]:
    """Return the name and the data of one server-sent event, by the rules of the WHATWG's HTML standard, 9.2."""
    name: str | None = None
    data: list[str] = []
    for line in _LINE_END.split(block.decode("utf-8-sig", "replace")):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
    return name, "\n".join(data)


def store(content_type: str, blocks: Iterable[bytes]) -> Iterator[Event]:
    """Turn events into their stored form, one by one."""
    writer = _Writer(_kind(content_type))
    return map(writer.event, blocks)


def carried_by(text: str) -> tuple[str, JSON]:
    """Return what stands before the JSON in an event that is stored as text, and the JSON; `ValueError` without any."""
    try:
        return "", _decoder.decode(text.strip())
    except ValueError:
        name, data = named(text.encode("utf-8", "surrogatepass"))
        return "data: " if name is None else f"event: {name}\ndata: ", _decoder.decode(data.strip())


def restore(events: Iterable[JSON]) -> Iterator[bytes]:
    """Give the bytes of stored events, one chunk an event; raise `MalformedEvent` for an unknown form."""
    for event in events:
        if not isinstance(event, dict):
            raise MalformedEvent(f"an event must be an object, not {event!r:.60}")
        try:
            yield _restored(event)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise MalformedEvent(f"an event cannot be written back: {error}") from None


def _restored(event: dict[str, JSON]) -> bytes:
    if "text" in event:
        return _string(event, "text").encode()
    if "base64" in event:
        return base64.b64decode(_string(event, "base64"), validate=True)
    form = "data" if "data" in event else "json"
    text = _STYLES[_string(event, "style", "compact")].encode(event[form])
    pad = event.get("pad", 0)
    if not isinstance(pad, int) or not 0 <= pad <= _LONGEST_PAD:
        raise MalformedEvent(f"pad must be a number of blanks, at most {_LONGEST_PAD}")
    if pad:
        text = f"{text[:-1]}{' ' * pad}{text[-1]}"
    text += _string(event, "tail", "")
    if form == "data":
        head = f"event: {_string(event, 'event')}\n" if "event" in event else ""
        text = f"{head}data: {text}\n\n"
    return text.encode()


def _string(event: dict[str, JSON], name: str, default: str | None = None) -> str:
    value = event.get(name, default)
    if not isinstance(value, str):
        raise MalformedEvent(f"{name} must be text")
    return value


class _Writer:
    """Stores the events of one body; the style of one is the first guess for the next."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._style = "compact"

    def event(self, block: bytes) -> Event:
        try:
            text = block.decode()
        except UnicodeDecodeError:
            return Event({"base64": binascii.b2a_base64(block, newline=False).decode()}, None)
        return self._parsed(text) or Event({"text": text}, self._carried(block, text))

    def _parsed(self, text: str) -> Event | None:
        if self._kind == "text/event-stream":
            frame = _FRAME.fullmatch(text)
            if frame is None:
                return None
            event: dict[str, JSON] = {} if frame[1] is None else {"event": frame[1]}
            return self._json("data", frame[2], event)
        if "json" not in self._kind:
            return None
        return self._json("json", text, {})

    def _carried(self, block: bytes, text: str) -> dict[str, JSON] | None:
        """Read the object out of what is stored as text."""
        try:
            value = _decoder.decode((named(block)[1] if self._kind == "text/event-stream" else text).strip())
        except (ValueError, RecursionError):
            return None
        return _object(value)

    def _json(self, form: str, text: str, event: dict[str, JSON]) -> Event | None:
        bare = text.rstrip(_TAIL)
        padded = _PADDED.fullmatch(bare)
        plain = padded[1] + "}" if padded else bare
        try:
            value = _decoder.decode(plain)
            style = self._style_of(value, plain)
        except (ValueError, RecursionError):
            return None
        if style is None or _deeper(value, plain):
            return None
        event[form] = value
        if style != "compact":
            event["style"] = style
        if padded:
            event["pad"] = len(padded[2])
        if len(bare) != len(text):
            event["tail"] = text[len(bare) :]
        return Event(event, _object(value))

    def _style_of(self, value: JSON, text: str) -> str | None:
        """Find the style that writes the value as this text; a lone surrogate fits none, UTF-8 cannot hold it."""
        if not isinstance(value, (dict, list)):
            return None
        if "\\ud" in text or "\\uD" in text:
            _STYLES["compact"].encode(value).encode()
        for style in (self._style, *_STYLES):
            if _STYLES[style].encode(value) == text:
                self._style = style
                return style
        return None


def _object(value: JSON) -> dict[str, JSON] | None:
    return value if isinstance(value, dict) else None


def _deeper(value: JSON, text: str) -> bool:
    """Whether a value is nested too deep; the count of brackets tells for nearly all that it is not."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    level: list[JSON] = [value]
    for _ in range(_DEEPEST):
        level = [
            item
            for outer in level
            for item in (outer if isinstance(outer, list) else cast("dict[str, JSON]", outer).values())
            if isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_decoder: Final = json.JSONDecoder(parse_constant=_refuse)
