"""The settings of a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from intercept.redaction.custom import Wish
    from intercept.spi import Caps


@dataclass(frozen=True)
class Settings:
    """The settings of a session, as `use_cassette` takes them."""

    mode: str | None = None
    adapters: Iterable[str] | None = None
    caps: Mapping[str, Caps | Mapping[str, Any]] = field(default_factory=dict[str, "Caps | Mapping[str, Any]"])
    failures: bool = False
    keep_headers: Iterable[str] = ()
    allow_encoding: Iterable[str] = ()
    keep_on_error: bool = False
    verify: bool = True
    strict: bool = False
    expect_rate_limited: bool = False
    world_writable: bool = False
    block_network: bool | None = None
    allow_hosts: Iterable[str] = ()
    redact: Iterable[Wish] = ()

    def __post_init__(self) -> None:
        """Take one name as a list of one, rather than letter by letter; a door may be gone through many times."""
        for name in ("adapters", "keep_headers", "allow_encoding", "allow_hosts", "redact"):
            value: Any = getattr(self, name)
            if value is not None:
                one = isinstance(value, str) or not isinstance(value, Iterable)
                object.__setattr__(self, name, (value,) if one else tuple(cast("Iterable[Any]", value)))
