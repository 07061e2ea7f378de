"""Rows of our own cassettes: looked at as they were redacted, with the same exceptions for what providers seal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from intercept.answers import Answer
from intercept.identity import of_request
from intercept.redaction.custom import Custom
from intercept.redaction.positions import NOWHERE, compiled
from intercept.scan.shapes import is_list, is_object
from intercept.scan.streams import Joining
from intercept.spi import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from intercept.redaction.positions import Node
    from intercept.scan.bodies import Bodies
    from intercept.scan.noting import Noting
    from intercept.spi import Adapter

_APART: Final = ("request", "headers", "events")
_FORMS: Final = ("data", "json", "text", "base64")


def is_row(value: Any) -> bool:
    """Whether a JSON value is a row of ours."""
    return isinstance(value, dict) and "request_hash" in value and "adapter" in value


class Rows:
    """Looks at rows, one by one."""

    def __init__(self, adapters: Mapping[str, Adapter], bodies: Bodies, joining: Joining) -> None:
        self._adapters = adapters
        self._bodies = bodies
        self._joining = joining

    def look(self, row: dict[str, Any], line: str, noting: Noting) -> None:
        """Look at one row; `line` is how it is written."""
        part = noting.part
        suspicious = noting.finder.suspects(line)
        adapter = self._adapters.get(str(row["adapter"]))
        untouched = NOWHERE if adapter is None else _untouched(adapter, row)
        if suspicious:
            noting.part = f"{part}, request"
            noting.json(row.get("request"), untouched)
            noting.part = part
            noting.json({name: value for name, value in row.items() if name not in _APART})
        noting.part = f"{part}, headers"
        pairs: list[Any] = _list(row.get("headers"))
        for pair in pairs:
            name, value = (*_list(pair), None, None)[:2]
            if isinstance(name, str) and isinstance(value, str):
                noting.header(name, value)
            else:
                noting.json(pair)
        noting.part = f"{part}, events"
        events = _list(row.get("events"))
        for event in events:
            self._packed(event, noting)
        if suspicious and adapter is not None:
            self._answered(events, adapter, untouched, noting)
        else:
            if suspicious:
                noting.json(events)
            joining = self._joining if adapter is None else Joining((adapter,))
            joining.look([each for each in map(_carried, events) if each], noting)
        noting.part = part

    @staticmethod
    def _answered(events: list[Any], adapter: Adapter, untouched: Node, noting: Noting) -> None:
        answer = Answer(noting, Custom(()), untouched, adapter.pieces)
        for event in events:
            fields = event if is_object(event) else {}
            if not any(form in fields for form in _FORMS):  # no event as we write them
                noting.json(event)
                continue
            try:
                answer.add(fields, _carried(fields))
            except (TypeError, ValueError, LookupError, AttributeError):
                noting.json(fields)
        answer.end()

    def _packed(self, event: Any, noting: Noting) -> None:
        """Look into an event that is no JSON, further than redaction does: a stream may stand in one."""
        fields = event if is_object(event) else {}
        for form, look in (("text", self._bodies.text), ("base64", self._bodies.base64)):
            if isinstance(text := fields.get(form), str):
                look(text, noting)


def _carried(event: Any) -> dict[str, Any] | None:
    known = event if is_object(event) else {}
    return next((known[form] for form in ("data", "json") if is_object(known.get(form))), None)


def _list(value: Any) -> list[Any]:
    if is_list(value):
        return value
    return [] if value is None else [value]


def _untouched(adapter: Adapter, row: dict[str, Any]) -> Node:
    request = row.get("request")
    if not is_object(request):
        return NOWHERE
    call = Call(adapter.name, str(row.get("provider")), str(row.get("operation")), "", "")
    try:
        return compiled(tuple(adapter.untouched(of_request(call, request))))
    except (TypeError, ValueError, LookupError, AttributeError):
        return NOWHERE
