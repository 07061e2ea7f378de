"""Using whatever a method gives as an application would: awaited, entered, read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final

import pydantic

from tests.conformance.callers import entered, items, settled
from tests.conformance.outcomes import seen

SOCKET: Final = "the manager of a websocket, not entered"
_PLAIN: Final[tuple[Any, ...]] = (pydantic.BaseModel, str, bytes, int, float, list, tuple, dict)
_MOST_ITEMS: Final = 3  # a poller never ends


async def driven(call: Callable[[], Any]) -> Any:
    """Call, use what comes, and describe it: its type, and what it gave."""
    value = await settled(call())
    return SOCKET if type(value).__name__.endswith("ConnectionManager") else await _used(value)


async def _used(value: Any) -> Any:
    kind = type(value).__qualname__
    if hasattr(value, "iter_pages"):
        return [seen(value), await _items(value)]
    if value is None or dataclasses.is_dataclass(value.__class__) or isinstance(value, _PLAIN):
        return [kind, seen(value)]
    if hasattr(value, "__enter__") or hasattr(value, "__aenter__"):
        async with entered(value) as inside:
            return [kind, await (_given(value) if inside is value else _used(inside))]
    return [kind, await _given(value)]


async def _given(value: Any) -> Any:
    """Return the first items, or the bytes; nothing of an object that gives nothing by itself."""
    if hasattr(value, "__aiter__") or hasattr(value, "__iter__"):
        return await _items(value)
    return await settled(value.read()) if hasattr(value, "read") else None


async def _items(value: Any) -> list[Any]:
    found: list[Any] = []
    async for item in items(value):
        found.append(await _used(item))
        if len(found) == _MOST_ITEMS:
            break
    if hasattr(value, "aclose"):
        await value.aclose()  # a generator that is left early says so now, not when it is collected
    return found
