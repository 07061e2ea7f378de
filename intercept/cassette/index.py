"""An open cassette: what it holds, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import msgspec

from intercept.cassette.rows import decode_caps, decode_row
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.capabilities import Subject
    from intercept.cassette.identities import Identities
    from intercept.cassette.rows import Header, Row
    from intercept.spi import JSON, Caps

Key = tuple[str, str]
"""(adapter, request hash)."""


class Place(NamedTuple):
    """Where a row stands: the number of its line or file, the bytes it takes there, and what is needed to order it.

    `occurrence` is its number among equal requests, `sequence` the moment of its call where it is still to be put in
    order, `test` the part of a test run that recorded it. `was` is the request hash that it tells, where rules that
    have changed give it another.
    """

    number: int
    start: int
    stop: int
    occurrence: int | None
    sequence: int | None
    test: str | None
    was: str | None = None

    def recorded_as(self, key: Key) -> Key:
        """Return the key under which a row of this key was recorded."""
        return key if self.was is None else (key[0], self.was)


class Source(Protocol):
    """Where the text of rows comes from. It stays as it is while others replace the cassette."""

    def text(self, place: Place) -> bytes:
        """Return the text of a row."""
        ...

    def where(self, number: int) -> str:
        """Name a line or file: `path:line`."""
        ...

    def spot(self, number: int) -> str:
        """Name it to someone who knows the cassette: `line 4`."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


@dataclass(frozen=True)
class Cassette:
    """The places of all rows by key, in the order in which they are served.

    `readings` are the usage semantics of each adapter's rows, `models` what the first row of each (adapter, provider,
    model) tells of its capabilities, as JSON. `remarks` say what is odd and can be served all the same. `identities`
    tell how rows that were redacted by other rules would be stored today.
    """

    path: Path
    header: Header
    source: Source = field(repr=False)
    groups: dict[Key, list[Place]] = field(repr=False)
    readings: dict[str, str] = field(repr=False)
    models: dict[Subject, tuple[int, bytes]] = field(repr=False)
    remarks: tuple[str, ...] = field(repr=False)
    identities: Identities | None = field(repr=False)

    def __len__(self) -> int:
        """Count the rows."""
        return sum(map(len, self.groups.values()))

    def text(self, place: Place) -> bytes:
        """Read the row at a place; raise `CassetteError` if it cannot be read any more."""
        try:
            return self.source.text(place)
        except OSError as error:
            raise CassetteError(self.where(place), f"it cannot be read: {error.strerror or error}") from error

    def row(self, place: Place) -> Row:
        """Decode the row at a place."""
        return decode_row(self.where(place), self.text(place))

    def request(self, place: Place, row: Row) -> dict[str, JSON]:
        """Return the request of the row at a place, as it would be stored today; empty if it is no object."""
        today = None if place.was is None or self.identities is None else self.identities.request(row)
        if today is not None:
            return today
        request: object = msgspec.json.decode(row.request)
        return cast("dict[str, JSON]", request) if isinstance(request, dict) else {}

    def caps(self, model: str) -> Caps | None:
        """Return what a model could do when it was recorded; None if no row tells."""
        for (_, _, name), (number, caps) in self.models.items():
            if name == model:
                return decode_caps(self.source.where(number), caps)
        return None

    def where(self, place: Place) -> str:
        """Name the place of a row: `path:line`."""
        return self.source.where(place.number)

    def in_order(self) -> Iterator[tuple[Key, Place]]:
        """Give every row, in the order in which they stand in the cassette."""
        rows = [(place.number, key, place) for key, group in self.groups.items() for place in group]
        for _, key, place in sorted(rows, key=lambda row: row[0]):
            yield key, place

    def taken(self) -> dict[Key, int]:
        """Return, for each request, the number past all that its rows have."""
        return {key: taken(group) for key, group in self.groups.items()}

    def close(self) -> None:
        """Let go of the file; rows can no longer be read."""
        self.source.close()


def taken(group: list[Place]) -> int:
    """Return the number past all that these rows have, or would have if they were numbered."""
    return max(len(group), 1 + max((place.occurrence or 0 for place in group), default=-1))


class Index:
    """Takes in the rows of a cassette one by one; refuses those that contradict each other."""

    def __init__(self, path: Path, source: Source, identities: Identities | None) -> None:
        self._path = path
        self._source = source
        self._identities = identities
        self._groups: dict[Key, list[Place]] = {}
        self._providers: dict[Key, str] = {}
        self._readings: dict[str, str] = {}
        self._models: dict[Subject, tuple[int, bytes]] = {}
        self._changed: dict[Subject, int] = {}

    def add(self, row: Row, redaction: str, number: int, start: int, stop: int) -> None:
        """Take in a row, redacted by these rules; raise `CassetteError` if it cannot stand beside the others."""
        key = row.adapter, self._hash_of(row, redaction)
        was = None if key[1] == row.request_hash else row.request_hash
        place = Place(number, start, stop, row.occurrence, row.sequence, row.test, was)
        self._groups.setdefault(key, []).append(place)
        if self._providers.setdefault(key, row.provider) != row.provider:
            raise CassetteError(
                self._source.where(number),
                f'provider: "{row.provider:.60}" here and "{self._providers[key]:.60}" above, for one request_hash '
                "that has the provider in it; one of the two was edited",
            )
        self._agree_on_usage(row, number)
        self._agree_on_caps(row, number)

    def _hash_of(self, row: Row, redaction: str) -> str:
        identities = self._identities
        if identities is None or redaction == identities.fingerprint:
            return row.request_hash
        return identities.of(row)

    def _agree_on_usage(self, row: Row, number: int) -> None:
        """Refuse usage in two readings: sums over such rows would mean nothing."""
        if row.usage is None or row.usage_semantics is None:
            return
        first = self._readings.setdefault(row.adapter, row.usage_semantics)
        if first != row.usage_semantics:
            raise CassetteError(
                self._source.where(number),
                f'usage_semantics: "{row.usage_semantics:.60}" here and "{first:.60}" above, so the usage of '
                f"{row.adapter} cannot be summed; record the cassette anew",
            )

    def _agree_on_caps(self, row: Row, number: int) -> None:
        caps = bytes(row.caps)
        if row.model is None or caps == b"null":
            return
        subject = row.adapter, row.provider, row.model
        first, known = self._models.setdefault(subject, (number, caps))
        if known == caps or subject in self._changed:
            return
        where = self._source.where
        if decode_caps(where(first), known) != decode_caps(where(number), caps):
            self._changed[subject] = number

    def cassette(self, header: Header) -> Cassette:
        """Return the whole."""
        groups = {key: self._ordered(group) for key, group in self._groups.items()}
        told = (self._readings, self._models, self._remarks(), self._identities)
        return Cassette(self._path, header, self._source, groups, *told)

    def _remarks(self) -> tuple[str, ...]:
        """Tell of models that could do other things in later rows."""
        where, spot = self._source.where, self._source.spot
        return tuple(
            f"{where(number)}: caps: what {subject[2]} can do is told otherwise than in "
            f"{spot(self._models[subject][0])}, which counts; record the cassette anew to have it as it is now"
            for subject, number in self._changed.items()
        )

    def _ordered(self, group: list[Place]) -> list[Place]:
        """Order by occurrence where every row has one, else leave the order of the file."""
        if len(group) == 1 or any(place.occurrence is None or place.was for place in group):
            return group
        ordered = sorted(group, key=_occurrence)
        for first, second in pairwise(ordered):
            if first.occurrence == second.occurrence:
                raise CassetteError(
                    self._source.where(second.number),
                    f"occurrence: {second.occurrence} of this request stands in {self._source.spot(first.number)} "
                    "already; are these two recordings in one cassette?",
                )
        return ordered


def _occurrence(place: Place) -> int:
    return -1 if place.occurrence is None else place.occurrence
