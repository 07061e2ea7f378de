"""Running what is decorated: the session it runs in, and its result brought to an end."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from intercept import Session, current_session


def session_here() -> Session:
    """Return the session that the caller runs in; there must be one."""
    session = current_session()
    assert session is not None
    return session


def ran(result: Any) -> Any:
    """Bring a result of any kind to its end."""
    if inspect.isasyncgen(result):

        async def items() -> list[Any]:
            return [item async for item in result]

        return asyncio.run(items())
    if inspect.isawaitable(result):

        async def awaited() -> Any:
            return await result

        return asyncio.run(awaited())
    return list(result) if inspect.isgenerator(result) else result
