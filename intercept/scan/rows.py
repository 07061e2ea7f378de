"""Rows of our own cassettes: looked at as they were redacted, with the same exceptions for what providers seal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from intercept.answers import Answer
from intercept.identity import of_request
from intercept.redaction.custom import Custom
from intercept.redaction.positions import NOWHERE, compiled
from intercept.spi import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from intercept.redaction.positions import Node
    from intercept.scan.bodies import Bodies
    from intercept.scan.noting import Noting
    from intercept.scan.streams import Joining
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
        for pair in row.get("headers") or ():
            if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # noqa: PLR2004
                noting.header(*cast("list[str]", pair))
            else:
                noting.json(pair)
        noting.part = f"{part}, events"
        events = row.get("events")
        if not isinstance(events, list):
            noting.json(events)
        elif adapter is not None:
            self._answered(cast("list[Any]", events), adapter, untouched, noting)
        else:
            noting.json(cast("Any", events))
            self._joining.look([each for each in map(_carried, cast("list[Any]", events)) if each], noting)
        noting.part = part

    def _answered(self, events: list[Any], adapter: Adapter, untouched: Node, noting: Noting) -> None:
        forms = [event for event in events if isinstance(event, dict) and any(form in event for form in _FORMS)]
        if len(forms) < len(events):
            noting.json(cast("Any", events))
        answer = Answer(noting, Custom(()), untouched, adapter.pieces)
        for event in cast("list[dict[str, Any]]", forms):
            try:
                answer.add(event, _carried(event))
            except (TypeError, ValueError, LookupError, AttributeError):  # no event as we write them
                noting.json(event)
                continue
            for form in ("text", "base64"):
                if isinstance(event.get(form), str):
                    (self._bodies.base64 if form == "base64" else self._bodies.text)(event[form], noting)
        answer.end()


def _carried(event: Any) -> dict[str, Any] | None:
    if not isinstance(event, dict):
        return None
    return next((event[form] for form in ("data", "json") if isinstance(event.get(form), dict)), None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _untouched(adapter: Adapter, row: dict[str, Any]) -> Node:
    request = row.get("request")
    if not isinstance(request, dict):
        return NOWHERE
    call = Call(adapter.name, str(row.get("provider")), str(row.get("operation")), "", "")
    try:
        return compiled(tuple(adapter.untouched(of_request(call, cast("dict[str, Any]", request)))))
    except (TypeError, ValueError, LookupError, AttributeError):
        return NOWHERE
