"""Serving rows: each once, in the order of their numbers; whoever asks claims one at once."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.cassette.reading import Key
from intercept.errors import CassetteError, Exhausted
from intercept.events import MalformedEvent, restore
from intercept.identity import request_hash
from intercept.spi import Hop, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.cassette.reading import Cassette, Place
    from intercept.cassette.rows import Row
    from intercept.spi import JSON, Call, Usage


class Replayer:
    """The rows of one cassette, and how many of each request have been served.

    Where tests share a cassette, `test` is asked for its own rows; for a request that it did not record, for all.
    """

    def __init__(self, cassette: Cassette, test: str | None = None) -> None:
        self.cassette = cassette
        self._test = test
        self._places: dict[Key, list[Place]] = {}
        self._served: dict[Key, int] = {}

    def places(self, key: Key) -> list[Place]:
        """Return where the rows for a request stand, in the order of serving."""
        if key not in self._places:
            group = self.cassette.groups.get(key, [])
            own = [place for place in group if place.test == self._test]
            self._places[key] = own or group
        return self._places[key]

    def counts(self, key: Key) -> tuple[int, int]:
        """Return how many rows a request has, and how many of them were served."""
        return len(self.places(key)), self._served.get(key, 0)

    def take(self, call: Call, key: Key) -> tuple[Reply, Usage | None] | None:
        """Claim the next row of this request, with the usage it tells; None without one, which claims nothing."""
        group, served = self.places(key), self._served.get(key, 0)
        if served >= len(group):
            return None
        place = group[served]
        row = self.cassette.row(place)
        self._check(row, place, call)
        events = self._events(row, place)
        self._check_headers(row, place)
        self._served[key] = served + 1
        reply = Reply(
            status=row.status,
            headers=tuple(row.headers),
            chunks=self._chunks(events, row, place, call),
            end=row.end,
            failure=row.failure,
            hops=tuple(Hop(hop.status, tuple(hop.headers)) for hop in row.hops),
        )
        return reply, row.usage

    def _check(self, row: Row, place: Place, call: Call) -> None:
        """Refuse a row whose request was edited: it would answer a question it does not show."""
        try:
            stored = canonical.loads(bytes(row.request))
            fits = isinstance(stored, dict) and request_hash(row.adapter, row.provider, stored) == row.request_hash
        except NotCanonical:
            fits = False
        if not fits:
            raise CassetteError(
                self.cassette.where(place.line),
                f"request: it does not fit its request_hash, so it was edited since {call.operation} was recorded; "
                "undo the edit, or record the call anew",
            )

    def _check_headers(self, row: Row, place: Place) -> None:
        """Refuse what HTTP cannot carry: it was edited in."""
        for name, value in chain(row.headers, *(hop.headers for hop in row.hops)):
            if not name.isascii() or any(character > "\xff" for character in value):
                raise CassetteError(self.cassette.where(place.line), f"headers: HTTP cannot carry {name!r:.40}")

    def _events(self, row: Row, place: Place) -> list[JSON]:
        try:
            events = canonical.loads(bytes(row.events))
        except NotCanonical as error:
            raise CassetteError(self.cassette.where(place.line), f"events: {error}") from None
        if not isinstance(events, list):
            raise CassetteError(self.cassette.where(place.line), "events: these must be a list")
        return events

    def _chunks(self, events: list[JSON], row: Row, place: Place, call: Call) -> Iterator[bytes]:
        where = self.cassette.where(place.line)
        try:
            yield from restore(events)
        except MalformedEvent as error:
            raise CassetteError(where, f"events: {error}") from None
        if row.end == "closed":
            raise Exhausted(
                f"{call.adapter} {call.operation}: the recording in {where} ends here, after {len(events)} events, "
                "because the caller left the stream early when it was recorded.\n\n"
                "  To read on, record it anew with code that reads to the end.",
                adapter=call.adapter,
                operation=call.operation,
                request_hash=row.request_hash,
                cassette=str(self.cassette.path),
                recorded=len(events),
                served=len(events),
            )
