"""The settings of a session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The settings of a session, as `use_cassette` takes them."""

    mode: str | None = None
    adapters: Iterable[str] | None = None
    keep_headers: Iterable[str] = ()
    keep_on_error: bool = False
    verify: bool = True

    def __post_init__(self) -> None:
        """Take one name as a list of one, rather than letter by letter."""
        for name in ("adapters", "keep_headers"):
            value = getattr(self, name)
            if isinstance(value, str):
                object.__setattr__(self, name, (value,))
