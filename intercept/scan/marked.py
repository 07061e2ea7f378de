"""YAML as data: nothing is constructed, no tag means anything but `!!binary`, and aliases lead nowhere."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Final

_BINARY: Final = frozenset({"tag:yaml.org,2002:binary", "!binary"})


class Marked(str):
    """A scalar, and where in its file it stands."""

    __slots__ = ("start", "stop")

    def __new__(cls, text: str, start: int, stop: int) -> Marked:  # noqa: PYI034  typing.Self is younger than Python 3.10
        """Make one."""
        made = super().__new__(cls, text)
        made.start, made.stop = start, stop
        return made

    start: int
    stop: int


@dataclass(frozen=True)
class Binary:
    """A scalar of bytes, and where in its file it stands."""

    content: bytes
    start: int
    stop: int


class NotYaml(ValueError):
    """A text is no YAML."""


def documents(text: str) -> tuple[list[Any], list[tuple[int, int]]]:
    """Return the documents of a YAML text, made of dicts, lists and scalars, and the places of all scalars.

    An alias is nothing here: what it stands for was met where its anchor is. Raises `NotYaml`.
    """
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    top: list[Any] = []
    places: list[tuple[int, int]] = []
    stack: list[_Open] = [_Open(top)]
    try:
        events: Any = yaml.parse(text, Loader=loader)
        for event in events:
            if isinstance(event, yaml.ScalarEvent):
                marks: Any = (event.start_mark, event.end_mark)
                start, stop = (mark.index for mark in marks)
                places.append((start, stop))
                stack[-1].add(_scalar(event.value, event.tag, start, stop))
            elif isinstance(event, yaml.MappingStartEvent):
                stack.append(_Open({}))
            elif isinstance(event, yaml.SequenceStartEvent):
                stack.append(_Open([]))
            elif isinstance(event, yaml.CollectionEndEvent):
                value = stack.pop().value
                stack[-1].add(value)
            elif isinstance(event, yaml.AliasEvent):
                stack[-1].add(None)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise NotYaml from error
    return top, places


def _scalar(value: str, tag: str | None, start: int, stop: int) -> Marked | Binary:
    if tag in _BINARY:
        try:
            return Binary(base64.b64decode("".join(value.split()), validate=True), start, stop)
        except (binascii.Error, ValueError):
            pass
    return Marked(value, start, stop)


class _Several(list[Any]):
    """The values of one key that is written several times."""


class _Open:
    """A collection that is being filled."""

    __slots__ = ("_key", "_waiting", "value")

    def __init__(self, value: dict[Any, Any] | list[Any]) -> None:
        self.value = value
        self._key: Any = None
        self._waiting = False

    def add(self, item: Any) -> None:
        """Take in an item of a list, or in turn a key and its value."""
        if isinstance(self.value, list):
            self.value.append(item)
        elif not self._waiting:
            self._key, self._waiting = item, True
        else:
            self._waiting = False
            self._put(self.value, self._key, item)

    @staticmethod
    def _put(into: dict[Any, Any], key: Any, item: Any) -> None:
        if not isinstance(key, Marked):  # a key may be anything
            into[f"?{len(into)}"] = [key, item]
        elif key not in into:
            into[key] = item
        elif isinstance(known := into[key], _Several):
            known.append(item)
        else:
            into[key] = _Several([known, item])


def between(text: str, places: list[tuple[int, int]]) -> list[tuple[int, str]]:
    """Return what stands between scalars where it may be more than punctuation: comments."""
    gaps: list[tuple[int, str]] = []
    end = 0
    for start, stop in (*sorted(places), (len(text), len(text))):
        if start > end and "#" in (gap := text[end:start]):
            gaps.append((end, gap))
        end = max(end, stop)
    return gaps
