"""Record once, replay for ever: what code asks through the official `openai` and `anthropic` SDKs."""

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
)
from intercept.notes import Played
from intercept.session import Session, current_session
from intercept.spi import Call, Caps, Prices, Usage

__all__ = [
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
    "Session",
    "Usage",
    "current_session",
    "use_cassette",
    "validate",
]
