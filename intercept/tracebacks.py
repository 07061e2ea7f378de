"""Tracebacks for people: the steps of their own code, without those of SDKs, HTTP libraries and our own."""

from __future__ import annotations

from types import TracebackType
from typing import TypeVar

from intercept.adapters import installed

_Error = TypeVar("_Error", bound=BaseException)


def without_ours(error: _Error) -> _Error:
    """Leave out every step that a reader of a failed test can do nothing about; keep all if nothing else is left."""
    steps = [step for step in _steps(error.__traceback__) if _package(step) not in _packages()]
    below: TracebackType | None = None
    for step in reversed(steps):
        below = TracebackType(below, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return error if below is None else error.with_traceback(below)


def _steps(traceback: TracebackType | None) -> list[TracebackType]:
    steps: list[TracebackType] = []
    while traceback is not None:
        steps.append(traceback)
        traceback = traceback.tb_next
    return steps


def _package(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _packages() -> set[str]:
    found = {"intercept", "wrapt"}
    for adapter in installed().values():
        found.add(type(adapter).__module__.partition(".")[0])
        for point in adapter.patch_points:
            found |= {point.module.partition(".")[0], point.wrapper.__module__.partition(".")[0]}
    return found
