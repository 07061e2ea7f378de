"""Decorating functions of every kind, so that each stays of its kind."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator
    from contextlib import AbstractContextManager


class Doors(Protocol):
    """Makes the door for one run of a function."""

    def __call__(self, function: Callable[..., Any], /) -> AbstractContextManager[Any]:
        """Return a door not yet gone through."""
        ...


def decorated(target: Any, door_of: Doors) -> Any:
    """Run a function, or each test of a class, inside a door of its own.

    The kind, signature and attributes of a function are kept. A plain function that returns a coroutine is a plain
    function: its session ends when it returns.
    """
    if isinstance(target, type):
        for name, member in list(vars(target).items()):
            if name.startswith("test") and (callable(member) or isinstance(member, (staticmethod, classmethod))):
                setattr(target, name, decorated(member, door_of))
        return target
    if isinstance(target, staticmethod):
        return staticmethod(decorated(cast("staticmethod[..., Any]", target).__func__, door_of))
    if isinstance(target, classmethod):
        return classmethod(decorated(cast("classmethod[Any, ..., Any]", target).__func__, door_of))
    for is_kind, kind in (
        (inspect.iscoroutinefunction, _coroutine),
        (inspect.isasyncgenfunction, _async_generator),
        (inspect.isgeneratorfunction, _generator),
    ):
        if is_kind(target):
            return kind(target, door_of)
    return _plain(target, door_of)


def _plain(function: Callable[..., Any], door_of: Doors) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with door_of(function):
            return function(*args, **kwargs)

    return run


def _coroutine(function: Callable[..., Any], door_of: Doors) -> Callable[..., Any]:
    @functools.wraps(function)
    async def run(*args: Any, **kwargs: Any) -> Any:
        with door_of(function):
            return await function(*args, **kwargs)

    return run


def _generator(function: Callable[..., Any], door_of: Doors) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with door_of(function):
            return cast("Any", (yield from function(*args, **kwargs)))

    return run


def _async_generator(function: Callable[..., Any], door_of: Doors) -> Callable[..., Any]:
    @functools.wraps(function)
    async def run(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        with door_of(function):
            inner = function(*args, **kwargs)
            try:
                value = await inner.__anext__()
                while True:
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await inner.aclose()
                        raise
                    except BaseException as error:  # noqa: BLE001  thrown in by the caller, for the function
                        value = await inner.athrow(error)
                    else:
                        value = await inner.asend(sent)
            except StopAsyncIteration:
                return

    return run
