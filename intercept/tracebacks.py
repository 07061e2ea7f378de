"""Tracebacks for people: the steps of their own code, without those of SDKs, HTTP libraries and our own."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Final

from intercept.adapters import installed
from intercept.errors import InterceptError

_RUNNERS: Final = frozenset(("_pytest", "pluggy", "unittest", "asyncio", "pytest_asyncio", "anyio", "trio"))
"""Who calls a test, and a coroutine."""


def cleared(error: BaseException) -> bool:
    """Leave out what a reader can do nothing about, where an error of ours is part of what went wrong.

    That goes for the error itself, what it came from, and the members of a group. Returns whether it was so.
    """
    parts = list(_parts(error))
    if not any(isinstance(part, InterceptError) for part in parts):
        return False
    packages = _packages()
    for part in parts:
        part.__traceback__ = _without(packages, part.__traceback__)
    return True


def leads_nowhere(error: BaseException) -> bool:
    """Whether no step is one of the reader's: what failed is around their function, not in it."""
    return all(_package(step) in _RUNNERS for step in _steps(error.__traceback__))


def _parts(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        part = waiting.pop()
        if isinstance(part, BaseException) and id(part) not in seen:
            seen.add(id(part))
            yield part
            members = getattr(part, "exceptions", ())  # of a group
            waiting += (part.__cause__, part.__context__, *(members if isinstance(members, tuple) else ()))


def _without(packages: set[str], traceback: TracebackType | None) -> TracebackType | None:
    below: TracebackType | None = None
    for step in reversed(list(_steps(traceback))):
        if _package(step) not in packages:
            below = TracebackType(below, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return below


def _steps(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _package(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _packages() -> set[str]:
    found = {"intercept", "wrapt"}
    for adapter in installed().values():
        found.add(type(adapter).__module__.partition(".")[0])
        for point in adapter.patch_points:
            found |= {point.module.partition(".")[0], point.wrapper.__module__.partition(".")[0]}
    return found
