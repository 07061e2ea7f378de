"""Waits that are due to a provider only: between tries and between polls. Answered here, nobody need wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from intercept.spi import current_session


def wrap_retry_wait(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `SyncAPIClient._sleep_for_retry`."""
    session = current_session()
    if session is None or not session.offline:
        return wrapped(*args, **kwargs)
    session.waited(_asked_for(client, **kwargs))
    return None


async def wrap_async_retry_wait(
    wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Wrap `AsyncAPIClient._sleep_for_retry`."""
    session = current_session()
    if session is None or not session.offline:
        return await wrapped(*args, **kwargs)
    session.waited(_asked_for(client, **kwargs))
    return None


def _asked_for(client: Any, *, retries_taken: int, max_retries: int, options: Any, response: Any) -> float:
    headers = None if response is None else response.headers
    return float(client._calculate_retry_timeout(max_retries - retries_taken, options, headers))  # noqa: SLF001


def wrap_poll_wait(wrapped: Callable[..., Any], _resource: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `SyncAPIResource._sleep`."""
    session = current_session()
    if session is None or not session.offline:
        return wrapped(*args, **kwargs)
    session.waited(float(args[0] if args else kwargs["seconds"]))
    return None


async def wrap_async_poll_wait(
    wrapped: Callable[..., Any], _resource: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Wrap `AsyncAPIResource._sleep`."""
    session = current_session()
    if session is None or not session.offline:
        return await wrapped(*args, **kwargs)
    session.waited(float(args[0] if args else kwargs["seconds"]))
    return None
