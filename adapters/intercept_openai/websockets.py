"""Websockets of the OpenAI API (`realtime`, `live`, `responses.connect`): not covered, so never silently live.

Every one of them is opened through the `websockets` library, by code of the SDK; others may use the library as they
like.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from intercept.spi import PatchPoint, current_session

_PASSED: Final = frozenset({"intercept_openai", "intercept", "wrapt", "websockets"})


def _wrap_connect(wrapped: Callable[..., Any], _instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    session = current_session()
    if session is not None and _asked_by_sdk():
        session.uncovered("openai", "a websocket")
    return wrapped(*args, **kwargs)


def _asked_by_sdk() -> bool:
    """Whether the nearest code above the library is the SDK's."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if name == "openai":
            return True
        if name not in _PASSED:
            return False
        frame = frame.f_back
    return False


PATCH_POINTS: Final = (
    PatchPoint("websockets.sync.client", "connect", _wrap_connect, required=False),
    PatchPoint("websockets.asyncio.client", "connect.__init__", _wrap_connect, required=False),
)
