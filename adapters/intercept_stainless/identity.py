"""Giving every wire request the mark of the call it belongs to: wrappers of `request` and `_build_request`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from intercept.spi import Halt, InterceptError, Session, current_session
from intercept_stainless.http_library import is_known
from intercept_stainless.provider import Provider

MARK: Final = "intercept.call"
"""The key of the mark in a request's `extensions`."""


@dataclass(frozen=True, slots=True, repr=False)
class Mark:
    """What the wire cannot tell: whose request it is, and the path before a cloud client rewrote it."""

    provider: Provider
    session: Session
    client: Any
    path: str


@dataclass(frozen=True, slots=True, repr=False)
class _Frame:
    """One run of `request`: the options as the resource method gave them."""

    client: Any
    path: str


_frame: Final[ContextVar[_Frame | None]] = ContextVar("intercept_frame", default=None)


def in_request() -> bool:
    """Whether this code runs below a wrapped `request`, which turns a `Halt` into its error."""
    return _frame.get() is not None


def clean(error: InterceptError) -> InterceptError:
    """Take the way that an error came off it: test runners show the variables of every step, and ours hold secrets."""
    return error.with_traceback(None)


def let_out(error: InterceptError) -> BaseException:
    """Return what to raise for an error of ours: below `request`, what no SDK wraps or takes for a reason to retry."""
    return Halt(error) if in_request() else clean(error)


def refuse_uncovered(session: Session, provider: Provider, way: str) -> None:
    """Tell the session of a way to the provider that goes past us, and raise where it may not be gone."""
    try:
        session.uncovered(provider.adapter, way)
    except InterceptError as error:
        raise let_out(error) from None


def wrap_request(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `SyncAPIClient.request`: note the options, and let a `Halt` out as the error it carries."""
    if current_session() is None:
        return wrapped(*args, **kwargs)
    token = _frame.set(_Frame(client, _path(args, kwargs, 1)))
    try:
        return wrapped(*args, **kwargs)
    except Halt as halt:
        raise clean(halt.error) from None
    finally:
        _frame.reset(token)


def wrap_async_request(
    wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Coroutine[Any, Any, Any]:
    """Wrap `AsyncAPIClient.request`, likewise."""
    return _async_request(wrapped, client, args, kwargs)


async def _async_request(
    wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if current_session() is None:
        return await wrapped(*args, **kwargs)
    if getattr(client, "_platform", False) is None:
        # The SDK asks a thread for it at its first call; concurrent first calls come back from there in any order.
        client._platform = _platform(client)  # noqa: SLF001  the SDK's own cache
    token = _frame.set(_Frame(client, _path(args, kwargs, 1)))
    try:
        return await wrapped(*args, **kwargs)
    except Halt as halt:
        raise clean(halt.error) from None
    finally:
        _frame.reset(token)


def _platform(client: Any) -> Any:
    """Ask the SDK's own function, which stands beside one of the client's classes."""
    for cls in type(client).__mro__:
        get_platform = getattr(sys.modules.get(cls.__module__), "get_platform", None)
        if get_platform is not None:
            return _elsewhere(get_platform)
    return None


def _elsewhere(ask: Callable[[], Any]) -> Any:
    """Ask in a thread, as the SDK does, while no other task runs: concurrent first calls keep their order."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(ask()), daemon=True)
    thread.start()
    thread.join()
    return answers[0] if answers else None


def _path(args: tuple[Any, ...], kwargs: dict[str, Any], position: int) -> str:
    options = kwargs["options"] if "options" in kwargs else args[position]
    return str(options.url)


def build_request_wrapper(provider: Provider) -> Callable[..., Any]:
    """Make the wrapper of `BaseClient._build_request` that marks every request.

    Outside of `request` (a middleware or a redirect helper that sends on its own) the options at hand have to do.
    """

    def wrap_build_request(
        wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        request = wrapped(*args, **kwargs)
        session = current_session()
        if session is not None:
            frame = _frame.get()
            path = frame.path if frame is not None and frame.client is client else _path(args, kwargs, 0)
            request.extensions[MARK] = Mark(provider, session, client, path)
            http: Any = getattr(client, "_client", None)
            if not is_known(http):
                refuse_uncovered(session, provider, f"an HTTP client of {type(http).__module__.partition('.')[0]}")
        return request

    return wrap_build_request
