"""Identifiers and times of one request, all from its place in the order of arrival."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import format_datetime

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_EPOCH = 1_760_000_000  # the time of request 0


@dataclass(frozen=True, slots=True)
class Mint:
    """Makes the identifiers of request ``turn``: two requests never share one, two runs always do."""

    turn: int

    def base62(self, prefix: str, length: int, part: int = 0) -> str:
        """Return the prefix and ``length`` letters and digits; ``part`` tells several of one request apart."""
        return prefix + "".join(_BASE62[byte % 62] for byte in self._digest(prefix, part, length))

    def hex(self, prefix: str, length: int, part: int = 0) -> str:
        """Return the prefix and ``length`` hexadecimal digits."""
        return prefix + self._digest(prefix, part, length).hex()[:length]

    @property
    def seconds(self) -> int:
        """Unix time of the request."""
        return _EPOCH + self.turn

    @property
    def iso(self) -> str:
        """The same as RFC 3339."""
        return self._when().isoformat().replace("+00:00", "Z")

    @property
    def http_date(self) -> str:
        """The same as a ``date`` header."""
        return format_datetime(self._when(), usegmt=True)

    def _when(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, tz=timezone.utc)

    def _digest(self, prefix: str, part: int, length: int) -> bytes:
        seed = f"{prefix}/{self.turn}/{part}".encode()
        return b"".join(hashlib.sha256(seed + bytes([block])).digest() for block in range(length // 32 + 1))[:length]
