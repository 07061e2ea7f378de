"""Record once, replay for ever: what code asks through the official `openai` and `anthropic` SDKs."""

from intercept.door import use_cassette
from intercept.errors import (
    CannotPatch,
    CassetteError,
    ConfigError,
    Exhausted,
    InterceptError,
    InterceptWarning,
    Miss,
    NeverRecorded,
    NotVerified,
)
from intercept.session import Session, current_session

__all__ = [
    "CannotPatch",
    "CassetteError",
    "ConfigError",
    "Exhausted",
    "InterceptError",
    "InterceptWarning",
    "Miss",
    "NeverRecorded",
    "NotVerified",
    "Session",
    "current_session",
    "use_cassette",
]
