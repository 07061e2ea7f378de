"""Record once, replay for ever: what code asks through the official `openai` and `anthropic` SDKs."""

import importlib
from typing import TYPE_CHECKING, Any

from intercept.door import current_session, use_cassette, validate
from intercept.errors import (
    CannotPatch,
    CassetteError,
    ConfigError,
    Exhausted,
    InterceptError,
    InterceptWarning,
    Miss,
    NetworkBlocked,
    NeverRecorded,
    NotCovered,
    NotVerified,
    RedactionError,
)
from intercept.notes import Played
from intercept.spi import Call, Caps, Prices, Usage

if TYPE_CHECKING:
    from intercept.redaction import EMAIL, PHONE
    from intercept.session import Session

__all__ = [
    "EMAIL",
    "PHONE",
    "Call",
    "CannotPatch",
    "Caps",
    "CassetteError",
    "ConfigError",
    "Exhausted",
    "InterceptError",
    "InterceptWarning",
    "Miss",
    "NetworkBlocked",
    "NeverRecorded",
    "NotCovered",
    "NotVerified",
    "Played",
    "Prices",
    "RedactionError",
    "Session",
    "Usage",
    "current_session",
    "use_cassette",
    "validate",
]


_ELSEWHERE = {"EMAIL": "intercept.redaction", "PHONE": "intercept.redaction", "Session": "intercept.session"}


def __getattr__(name: str) -> Any:
    """Load what is seldom named when it is: `import intercept` stays light."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_ELSEWHERE[name]), name)
