"""What a session notes down while it runs."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from intercept.errors import Miss
from intercept.spi import Call, End, Usage


@dataclass(slots=True, repr=False)
class Played:
    """One call of a session and what became of it; `status` is None until it is answered, and if it never was."""

    call: Call
    request_hash: str
    live: bool
    status: int | None = None
    end: End | None = None
    usage: Usage | None = None

    def __repr__(self) -> str:
        """Say which call it was and how it went, without a word of its content."""
        how = "live" if self.live else "replayed"
        return f"<{self.call.adapter} {self.call.operation} {how}: {self.status} {self.end}>"


@dataclass(frozen=True, slots=True)
class Notes:
    """Every call in the order of sending, and what did not go well. Its lock guards the session's whole state."""

    calls: list[Played] = field(default_factory=list[Played])
    misses: list[Miss] = field(default_factory=list[Miss])
    failures: list[Exception] = field(default_factory=list[Exception])
    truncated: list[str] = field(default_factory=list[str])  # operations
    remarks: list[str] = field(default_factory=list[str])  # what to warn of at the end, each once
    # Reentrant: a dropped stream may be collected, and end its recording, in the middle of another's.
    lock: threading.RLock = field(default_factory=threading.RLock)
