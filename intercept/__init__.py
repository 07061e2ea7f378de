"""Record once, replay for ever: what code asks through the official `openai` and `anthropic` SDKs."""

from typing import TYPE_CHECKING, Any

from intercept.door import use_cassette, validate
from intercept.errors import (
    CannotPatch,
    CassetteError,
    ConfigError,
    Exhausted,
    InterceptError,
    InterceptWarning,
    Miss,
    NeverRecorded,
    NotCovered,
    NotVerified,
    RedactionError,
)
from intercept.notes import Played
from intercept.session import Session, current_session
from intercept.spi import Call, Caps, Prices, Usage

if TYPE_CHECKING:
    from intercept.redaction import EMAIL, PHONE

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


def __getattr__(name: str) -> Any:
    """Load the rules when one is asked for: `import intercept` stays light."""
    if name not in ("EMAIL", "PHONE"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from intercept import redaction

    return getattr(redaction, name)
