"""Reading a stream of either kind step by step."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import items


def begun(stream: Any) -> Any:
    """Return the iterator of a stream."""
    return stream.__aiter__() if hasattr(stream, "__aiter__") else iter(stream)


async def following(iterator: Any) -> Any:
    """Return the next event."""
    return await iterator.__anext__() if hasattr(iterator, "__anext__") else next(iterator)


async def taken(iterator: Any, count: int) -> list[Any]:
    """Return as many events as asked for."""
    return [await following(iterator) for _ in range(count)]


async def rest(iterator: Any) -> list[Any]:
    """Return all events that are left."""
    return [event async for event in iterator] if hasattr(iterator, "__anext__") else list(iterator)


async def until_it_breaks(stream: Any) -> list[Any]:
    """Return all events, and behind them the error that ends the stream, if one does."""
    events: list[Any] = []
    try:
        async for event in items(stream):
            events.append(event)  # noqa: PERF401  what came before the error counts
    except Exception as error:  # noqa: BLE001  whichever it is
        events.append(error)
    return events
