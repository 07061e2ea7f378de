"""Numbers of equal requests: counted here, or together with every other process that extends the same cassette."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from intercept.cassette import files
from intercept.cassette.format import HIGHEST_OCCURRENCE
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from intercept.cassette.index import Key


def refuse_past_highest(where: str, number: int) -> None:
    """Raise `CassetteError` for a number that no reader would take."""
    if number > HIGHEST_OCCURRENCE:
        raise CassetteError(where, f"occurrence: {number} is past the highest number that a request can have")


class Numbers:
    """The next number of each request."""

    def __init__(self, cassette: Path, taken: Mapping[Key, int]) -> None:
        """Go on from the numbers that are taken: how many, for each request."""
        self._cassette = cassette
        self._next = dict(taken)

    def claim(self, key: Key) -> int:
        """Number a request, before it is sent; raise `CassetteError` past the highest number there is."""
        number = self._next.get(key, 0)
        refuse_past_highest(str(self._cassette), number)
        self._next[key] = number + 1
        return number

    def pass_over(self, taken: Mapping[Key, int]) -> None:
        """Go on from higher numbers, where some are taken."""
        for key, number in taken.items():
            self._next[key] = max(number, self._next.get(key, 0))


class SharedNumbers(Numbers):
    """The same, agreed on through a file in which each process notes what it claims. Used behind the gate alone."""

    def __init__(self, cassette: Path, taken: Mapping[Key, int], claims: Path, *, anew: bool) -> None:
        super().__init__(cassette, taken)
        self._claims = claims
        self._read = 0
        if anew:  # whoever noted something here is gone
            claims.unlink(missing_ok=True)

    def claim(self, key: Key) -> int:
        """See `Numbers.claim`."""
        file = os.open(self._claims, os.O_RDWR | os.O_CREAT | os.O_APPEND | files.NO_LINK, 0o600)
        try:
            self._catch_up(file)
            number = super().claim(key)
            files.append(file, [f"{number} {' '.join(key)}\n".encode()])
        finally:
            os.close(file)
        return number

    def _catch_up(self, file: int) -> None:
        size = os.fstat(file).st_size
        if size <= self._read:
            return
        os.lseek(file, self._read, os.SEEK_SET)
        noted = os.read(file, size - self._read)
        self._read += len(noted)
        for line in noted.decode("utf-8", "replace").splitlines():
            number, _, key = line.partition(" ")
            adapter, _, request_hash = key.rpartition(" ")
            if number.isdecimal():
                self.pass_over({(adapter, request_hash): int(number) + 1})

    def end(self) -> None:
        """Forget what was claimed, for the last process that leaves."""
        self._claims.unlink(missing_ok=True)
