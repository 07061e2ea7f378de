"""Threads and pools carry the session of whoever started or submitted the work."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from intercept import current
from intercept.spi import PatchPoint

if TYPE_CHECKING:
    from collections.abc import Callable

# A pool starts its workers inside submit(); they must not keep the session of the first work they happen to get.
_submitting: Final[ContextVar[bool]] = ContextVar("intercept_submitting", default=False)


def _start(wrapped: Callable[..., Any], thread: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not _submitting.get():
        current.hand_over(thread)
    return wrapped(*args, **kwargs)


def _submit(wrapped: Callable[..., Any], _pool: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    token = _submitting.set(True)
    try:
        return wrapped(current.Carried(args[0]), *args[1:], **kwargs) if args else wrapped(**kwargs)
    finally:
        _submitting.reset(token)


PATCH_POINTS: Final = (
    PatchPoint("threading", "Thread.start", _start),
    PatchPoint("concurrent.futures.thread", "ThreadPoolExecutor.submit", _submit),
)
