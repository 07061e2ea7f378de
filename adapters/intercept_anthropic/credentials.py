"""No key needed where every call is answered here: `anthropic` asks for one only when a request is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from intercept.spi import PatchPoint, current_session


def _wrap_validate(wrapped: Callable[..., Any], _client: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    session = current_session()
    return None if session is not None and session.offline else wrapped(*args, **kwargs)


PATCH_POINTS: Final = (
    PatchPoint("anthropic._client", "Anthropic._validate_headers", _wrap_validate, required=False),
    PatchPoint("anthropic._client", "AsyncAnthropic._validate_headers", _wrap_validate, required=False),
)
