"""Opening a cassette: every line is checked once, only its place and its key are kept."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from intercept.cassette.rows import Row, decode_caps, decode_header, decode_row, is_cut
from intercept.errors import CassetteError, warn

if TYPE_CHECKING:
    from intercept.cassette.rows import Header
    from intercept.spi import Caps

Key = tuple[str, str]
"""(adapter, request hash)."""

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: its line number, the bytes it takes, its number among equal requests, and its test."""

    line: int
    start: int
    stop: int
    occurrence: int | None
    test: str | None


@dataclass(frozen=True)
class Cassette:
    """An open cassette: its whole lines, and the places of its rows by key, in the order in which they are served.

    `readings` are the usage semantics of each adapter's rows, `models` the lines that tell a model's capabilities.
    """

    path: Path
    header: Header
    data: bytes = field(repr=False)
    groups: dict[Key, list[Place]] = field(repr=False)
    readings: dict[str, str] = field(repr=False)
    models: dict[str, Place] = field(repr=False)

    def __len__(self) -> int:
        """Count the rows."""
        return sum(map(len, self.groups.values()))

    def row(self, place: Place) -> Row:
        """Decode the row at a place."""
        return decode_row(self.where(place.line), self.data[place.start : place.stop])

    def caps(self, model: str) -> Caps | None:
        """Return what a model could do when it was recorded; None if no row tells."""
        place = self.models.get(model)
        return None if place is None else decode_caps(self.where(place.line), bytes(self.row(place).caps))

    def where(self, line: int) -> str:
        """Return `path:line`."""
        return f"{self.path}:{line}"


def read(path: Path) -> Cassette:
    """Open a cassette; raise `CassetteError` with `path:line: field: reason` for whatever is wrong with it.

    A last line that was torn off while it was written loses only itself, with a warning.
    """
    data = content(path)
    if not data.strip():
        raise CassetteError(str(path), "the file is empty, so it is no cassette; delete it, or record it anew")
    header: Header | None = None
    groups: dict[Key, list[Place]] = {}
    readings: dict[str, str] = {}
    models: dict[str, Place] = {}
    start = len(_BOM) if data.startswith(_BOM) else 0
    number = 0
    while start < len(data):
        number += 1
        stop = data.find(b"\n", start)
        torn = stop < 0
        stop = len(data) if torn else stop
        line = data[start:stop].removesuffix(b"\r")
        begin, start = start, stop + 1
        if not line.strip():
            continue
        where = f"{path}:{number}"
        if header is None:
            header = decode_header(where, line)
            continue
        try:
            row = decode_row(where, line)
        except CassetteError as error:
            if not torn or not is_cut(line):
                raise
            data = data[:begin]
            warn(f"{where}: the last row was cut off while it was written, and is left out ({error.reason})")
            break
        place = Place(number, begin, begin + len(line), row.occurrence, row.test)
        groups.setdefault((row.adapter, row.request_hash), []).append(place)
        _agree(where, row, readings)
        if row.model is not None and row.model not in models and bytes(row.caps) != b"null":
            models[row.model] = place
    if header is None:
        raise CassetteError(str(path), "the file has no header, so it is no cassette")
    ordered = {key: _ordered(path, group) for key, group in groups.items()}
    return Cassette(path, header, data, ordered, readings, models)


def _agree(where: str, row: Row, readings: dict[str, str]) -> None:
    """Refuse usage in two readings: sums over such rows would mean nothing."""
    if row.usage is None or row.usage_semantics is None:
        return
    first = readings.setdefault(row.adapter, row.usage_semantics)
    if first != row.usage_semantics:
        raise CassetteError(
            where,
            f'usage_semantics: "{row.usage_semantics:.60}" here and "{first:.60}" above, so the usage of '
            f"{row.adapter} cannot be summed; record the cassette anew",
        )


def content(path: Path) -> bytes:
    """Return the bytes of a file; raise `CassetteError` for what is none, or cannot be read."""
    try:
        # Looked at before it is opened: opening a FIFO would wait for ever, and a device need not end.
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise CassetteError(str(path), "this is a folder; a cassette is a file")
        if not stat.S_ISREG(kind):
            raise CassetteError(str(path), "this is no regular file, so it cannot be a cassette")
        return path.read_bytes()
    except OSError as error:
        raise CassetteError(str(path), f"it cannot be read: {error.strerror or error}") from error


def _ordered(path: Path, group: list[Place]) -> list[Place]:
    """Order by occurrence where every row has one, else leave the order of the file."""
    if any(place.occurrence is None for place in group):
        return group
    ordered = sorted(group, key=_occurrence)
    for first, second in pairwise(ordered):
        if first.occurrence == second.occurrence:
            raise CassetteError(
                f"{path}:{second.line}",
                f"occurrence: {second.occurrence} of this request stands in line {first.line} already; "
                "are these two recordings in one file?",
            )
    return ordered


def _occurrence(place: Place) -> int:
    return -1 if place.occurrence is None else place.occurrence
