"""Serving rows: each once, in the order of their numbers; whoever asks claims one at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from intercept.cassette.checking import restored, row_at
from intercept.cassette.nearest import nearest
from intercept.errors import Exhausted
from intercept.spi import Hop, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.cassette.index import Cassette, Key, Place
    from intercept.cassette.nearest import Nearest
    from intercept.cassette.rows import Row
    from intercept.spi import JSON, Call, Usage


_LOOKED_AT: Final = 100_000
"""Rows, over all misses of a session: an application that swallows misses by the thousand is not held up."""


class Replayer:
    """The rows of one cassette, and how many of each request have been served.

    Where tests share a cassette, `test` is asked for its own rows; for a request that it did not record, for all.
    """

    def __init__(self, cassette: Cassette, test: str | None = None) -> None:
        self.cassette = cassette
        self._test = test
        self._places: dict[Key, list[Place]] = {}
        self._served: dict[Key, int] = {}
        self._looked_at = 0

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

    def remaining(self) -> list[Place]:
        """Return the rows that were not served, in the order of the cassette; of a shared one, those of its own test.

        One whose stream was left half read was served.
        """
        left = [place for key in self.cassette.groups for place in self.places(key)[self._served.get(key, 0) :]]
        own = [place for place in left if self._test is None or place.test in (None, self._test)]
        return sorted(own, key=lambda place: place.number)

    def nearest(self, call: Call) -> Nearest | None:
        """Return the row whose request is most like that of a call; None without rows, or after very many misses."""
        if self._looked_at >= _LOOKED_AT:
            return None
        self._looked_at += len(self.cassette)
        return nearest(self.cassette, call)

    def take(self, call: Call, key: Key) -> tuple[Reply, Usage | None] | None:
        """Claim the next row of this request, with the usage it tells; None without one, which claims nothing."""
        group, served = self.places(key), self._served.get(key, 0)
        if served >= len(group):
            return None
        row, events = row_at(self.cassette, key, group[served])
        self._served[key] = served + 1
        reply = Reply(
            status=row.status,
            headers=tuple(row.headers),
            chunks=self._chunks(events, row, self.cassette.where(group[served]), call),
            end=row.end,
            failure=row.failure,
            hops=tuple(Hop(hop.status, tuple(hop.headers)) for hop in row.hops),
        )
        return reply, row.usage

    def _chunks(self, events: list[JSON], row: Row, where: str, call: Call) -> Iterator[bytes]:
        yield from restored(where, events)
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
