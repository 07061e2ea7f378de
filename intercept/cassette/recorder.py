"""What a session asks of whoever keeps its exchanges."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from intercept.cassette import format as form
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from intercept.cassette.arranging import CapsOf
    from intercept.cassette.index import Key


@dataclass(frozen=True, slots=True)
class Claim:
    """What a call holds from the moment it is sent: its key, its number among equal ones, and when that was."""

    key: Key
    occurrence: int | None
    sequence: int


class Recorder(Protocol):
    """Where a session's exchanges go. Not safe by itself: its session holds a lock around every call."""

    @property
    def path(self) -> Path:
        """The cassette."""
        ...

    @property
    def kept_in(self) -> Path:
        """Where rows are as soon as they are written."""
        ...

    @property
    def test(self) -> str | None:
        """The part of a test run that records."""
        ...

    @property
    def rows(self) -> int:
        """How many rows were written."""
        ...

    @property
    def remarks(self) -> list[str]:
        """What to warn of at the end."""
        ...

    def claim(self, key: Key) -> Claim:
        """Number a request before it is sent; raise `CassetteError` past the highest number, `OSError` for no file."""
        ...

    def write(self, claim: Claim, exchange: form.Exchange) -> None:
        """Keep one row at once; raise `CassetteError` or `OSError` if that cannot be."""
        ...

    def commit(self, caps: CapsOf) -> None:
        """End well: the rows take their place. Raises `CassetteError` if it cannot be written."""
        ...

    def close(self, *, drop: bool = False) -> None:
        """End in any way, also behind `commit`; with `drop` nothing is kept of what is not in its place.

        Raises `CassetteError` if rows are lost that were written.
        """
        ...


class Moments:
    """Moments of calls, in their order also among the processes of one machine."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a moment past all before."""
        self._last = max(self._last + 1, time.monotonic_ns())
        return self._last


def refuse_long(path: Path, row: Sequence[form.Piece]) -> None:
    """Raise `CassetteError` for a row that no reader would take."""
    size = sum(map(len, row))
    if size > form.LONGEST_ROW:
        raise CassetteError(str(path), f"the row would have {size} bytes, and a row may have {form.LONGEST_ROW}")


def too_late(path: Path) -> CassetteError:
    """Make the error for an answer that came when its session was over."""
    return CassetteError(str(path), "the recording has ended before this call; wait for calls before a session ends")
