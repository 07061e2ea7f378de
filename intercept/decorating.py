"""Decorating functions of every kind, so that each stays of its kind."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator
    from contextlib import AbstractContextManager

    Door = Callable[[], AbstractContextManager[Any]]


# A class leaves alone what is decorated already: on its own, or by a class above it.
_MARK = "__intercept_door__"


class Doors(Protocol):
    """Makes the door for one run of a function, which stands in `file` under the qualified `name`."""

    def __call__(self, file: str, name: str) -> AbstractContextManager[Any]:
        """Return a door not yet gone through."""
        ...


def decorated(target: Any, door_of: Doors) -> Any:
    """Run a function, or each test of a class, inside a door of its own.

    The kind, signature and attributes of a function are kept. A plain function that returns a coroutine is a plain
    function: its session ends when it returns.
    """
    if isinstance(target, type):
        for name in dir(target):  # inherited tests too: they would go live
            member: Any = inspect.getattr_static(target, name)
            bare = getattr(member, "__func__", member)  # of a static method or a class method
            if name.startswith("test") and inspect.isroutine(member) and not hasattr(bare, _MARK):
                setattr(target, name, decorated(member, door_of))
        return target
    if isinstance(target, staticmethod):
        return staticmethod(decorated(cast("staticmethod[..., Any]", target).__func__, door_of))
    if isinstance(target, classmethod):
        return classmethod(decorated(cast("classmethod[Any, ..., Any]", target).__func__, door_of))
    function: Any = getattr(target, "func", target)  # of a partial function
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        raise TypeError(f"use_cassette() decorates functions and classes of tests, and {target!r} is neither")
    file, name = code.co_filename, function.__qualname__.replace("<locals>.", "")
    kinds = (
        (inspect.iscoroutinefunction, _coroutine),
        (inspect.isasyncgenfunction, _async_generator),
        (inspect.isgeneratorfunction, _generator),
    )
    kind = next((kind for is_kind, kind in kinds if is_kind(target)), _plain)
    run = kind(target, lambda: door_of(file, name))
    setattr(run, _MARK, True)
    return run


def _plain(function: Callable[..., Any], door: Door) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with door():
            return function(*args, **kwargs)

    return run


def _coroutine(function: Callable[..., Any], door: Door) -> Callable[..., Any]:
    @functools.wraps(function)
    async def run(*args: Any, **kwargs: Any) -> Any:
        with door():
            return await function(*args, **kwargs)

    return run


def _generator(function: Callable[..., Any], door: Door) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with door():
            return cast("Any", (yield from function(*args, **kwargs)))

    return run


def _async_generator(function: Callable[..., Any], door: Door) -> Callable[..., Any]:
    @functools.wraps(function)
    async def run(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        with door():
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
