"""Exchanges as other tools write them: vcrpy and VCR in YAML, browsers in HAR, and JSON of any kind.

Walked as data, whatever their shape: what has the name of a header, a cookie or a parameter is looked at as one, and
bodies are looked into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from intercept.redaction.finding import FIELD
from intercept.redaction.redactor import HEADER, PARAMETER
from intercept.scan.marked import Binary, Marked
from intercept.scan.shapes import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.scan.bodies import Bodies
    from intercept.scan.noting import Noting
    from intercept.scan.streams import Joining

_PAIRS: Final = {"headers": HEADER, "cookies": "cookie", "querystring": PARAMETER, "params": FIELD}
"""Lists of names and values in HAR."""
_COUNTED: Final = {"interactions": "interaction", "http_interactions": "interaction", "entries": "entry"}
_PARTS: Final = frozenset({"request", "response"})
_ENCODED: Final = ("text", "string", "base64_string")
_DEEPEST: Final = 200


class Exchanges:
    """Walks one document."""

    def __init__(self, bodies: Bodies, joining: Joining, noting: Noting) -> None:
        self._bodies = bodies
        self._joining = joining
        self._noting = noting
        self.too_deep = False
        """Whether something was left out."""

    def document(self, value: Any) -> None:
        """Look at a whole document."""
        self._noting.clear(list(_texts(value)))
        self.walk(value)

    def walk(self, value: Any, name: str = "", depth: int = 0) -> None:
        """Look at a value that stands under a name."""
        if depth > _DEEPEST:
            self.too_deep = True
        elif isinstance(value, str):
            self._scalar(value, name)
        elif isinstance(value, Binary):
            self._at(value)
            self._bodies.bytes(value.content, self._noting)
        elif is_object(value):
            self._mapping(value, name, depth)
        elif is_list(value):
            self._items(value, name, depth)

    def _mapping(self, value: dict[str, Any], name: str, depth: int) -> None:
        packed = str(value.get("encoding", "")).lower() == "base64"
        headers = name.lower() == "headers"
        for key, item in value.items():
            self._at(key)
            self._noting.text(key)
            if headers:
                self._header(key, item)
                continue
            part = self._noting.part
            if key in _PARTS:
                self._noting.part = f"{part}, {key}" if part else str(key)
            if packed and key in _ENCODED and isinstance(item, str):
                self._at(item)
                self._bodies.base64(item, self._noting)
            else:
                self.walk(item, str(key), depth + 1)
            self._noting.part = part

    def _header(self, name: str, value: Any) -> None:
        part = self._noting.part
        self._noting.part = f"{part}, headers" if part else "headers"
        for item in value if is_list(value) else [value]:
            if isinstance(item, Binary):
                item = Marked(item.content.decode("latin-1"), item.start, item.stop)  # noqa: PLW2901
            if isinstance(item, str):
                self._at(item)
                self._noting.header(name, item)
            else:
                self.walk(item)
        self._noting.part = part

    def _items(self, value: list[Any], name: str, depth: int) -> None:
        label, counted = _PAIRS.get(name.lower()), _COUNTED.get(name)
        part = self._noting.part
        for number, item in enumerate(value, 1):
            if counted:
                self._noting.part = f"{counted} {number}"
            if label and is_object(item) and isinstance(item.get("value"), str):
                self._at(item["value"])
                self._noting.part = f"{part}, {name}" if part else name
                self._noting.named(label, str(item.get("name", "")), item["value"])
            else:
                self.walk(item, name if isinstance(item, str) else "", depth + 1)
        self._noting.part = part
        if len(value) > 1:
            self._joining.look(_objects(value), self._noting)

    def _scalar(self, value: str, name: str) -> None:
        self._at(value)
        noting = self._noting
        if noting.identity(name, value):
            return
        before = len(noting.notes)
        noting.named(FIELD, name, value)
        if len(noting.notes) == before or len(value) > 256:  # noqa: PLR2004
            self._bodies.text(value, noting)

    def _at(self, value: object) -> None:
        if isinstance(value, (Marked, Binary)):
            self._noting.start, self._noting.stop = value.start, value.stop


def _objects(items: list[Any]) -> list[dict[str, Any]]:
    """Return the events in a list, taken out of what stands around them."""
    found: list[dict[str, Any]] = []
    for item in items:
        if is_object(item):
            inner = item
            for name in ("data", "json"):
                if is_object(further := inner.get(name)):
                    inner = further
            found.append(inner)
    return found


def _texts(value: Any) -> Iterator[str]:
    """Give all texts of a document, however deep."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif is_object(item):
            waiting += item
            waiting += item.values()
        elif is_list(item):
            waiting += item
