"""Waits that are due to a provider only: between tries and between polls. Answered here, nobody need wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from intercept.spi import current_session


def _noted(seconds: Callable[[], float]) -> bool:
    """Whether nobody need wait, because all is answered here; then the wait that was asked for is noted."""
    session = current_session()
    if session is None or not session.offline:
        return False
    session.waited(seconds())
    return True


def wrap_retry_wait(wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `SyncAPIClient._sleep_for_retry`."""
    return None if _noted(lambda: _before_retry(client, **kwargs)) else wrapped(*args, **kwargs)


async def wrap_async_retry_wait(
    wrapped: Callable[..., Any], client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Wrap `AsyncAPIClient._sleep_for_retry`."""
    return None if _noted(lambda: _before_retry(client, **kwargs)) else await wrapped(*args, **kwargs)


def _before_retry(client: Any, *, retries_taken: int, max_retries: int, options: Any, response: Any) -> float:
    headers = None if response is None else response.headers
    return float(client._calculate_retry_timeout(max_retries - retries_taken, options, headers))  # noqa: SLF001


def wrap_poll_wait(wrapped: Callable[..., Any], _resource: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Wrap `SyncAPIResource._sleep`."""
    return None if _noted(lambda: _before_poll(*args, **kwargs)) else wrapped(*args, **kwargs)


async def wrap_async_poll_wait(
    wrapped: Callable[..., Any], _resource: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Wrap `AsyncAPIResource._sleep`."""
    return None if _noted(lambda: _before_poll(*args, **kwargs)) else await wrapped(*args, **kwargs)


def _before_poll(seconds: float) -> float:
    return float(seconds)
