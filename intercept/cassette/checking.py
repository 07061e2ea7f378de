"""What is looked at in a row when it is served, and in every row by `validate`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.cassette.layouts import layout_of
from intercept.errors import CassetteError
from intercept.events import MalformedEvent, restore
from intercept.identity import request_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.cassette.index import Cassette, Key, Place
    from intercept.cassette.rows import Row
    from intercept.paths import Location
    from intercept.spi import JSON


def row_at(cassette: Cassette, key: Key, place: Place) -> tuple[Row, list[JSON]]:
    """Return a row and its events; raise `CassetteError` for one that cannot be served."""
    row, where = cassette.row(place), cassette.where(place)
    if (row.adapter, row.request_hash) != key:
        raise CassetteError(where, "another row stands here than when the cassette was opened")
    _check_request(where, row)
    _check_headers(where, row)
    return row, _events(where, row)


def restored(where: str, events: list[JSON]) -> Iterator[bytes]:
    """Give the bytes of events; raise `CassetteError` where one has none of the known forms."""
    try:
        yield from restore(events)
    except MalformedEvent as error:
        raise CassetteError(where, f"events: {error}") from None


def faults(location: Location) -> list[CassetteError]:
    """Look at every row of a cassette as if it were served, and return what is wrong with it."""
    try:
        cassette = layout_of(location).read()
    except CassetteError as error:
        return [error]
    found: list[CassetteError] = []
    for key, place in cassette.in_order():
        try:
            _, events = row_at(cassette, key, place)
            for _ in restored(cassette.where(place), events):
                pass
        except CassetteError as error:
            found.append(error)
    cassette.close()
    return found


def _check_request(where: str, row: Row) -> None:
    """Refuse a row whose request was edited: it would answer a question it does not show."""
    try:
        stored = canonical.loads(bytes(row.request))
        fits = isinstance(stored, dict) and request_hash(row.adapter, row.provider, stored) == row.request_hash
        why = ""
    except NotCanonical as error:
        fits, why = False, f" ({error})"
    if not fits:
        raise CassetteError(
            where,
            f"request: it does not fit its request_hash{why}, so it was edited since {row.operation or 'it'} was "
            "recorded; undo the edit, or record the call anew",
        )


def _check_headers(where: str, row: Row) -> None:
    """Refuse what HTTP cannot carry: it was edited in."""
    for name, value in chain(row.headers, *(hop.headers for hop in row.hops)):
        if not name.isascii() or any(character > "\xff" for character in value):
            raise CassetteError(where, f"headers: HTTP cannot carry {name!r:.40}")


def _events(where: str, row: Row) -> list[JSON]:
    try:
        events = canonical.loads(bytes(row.events))
    except NotCanonical as error:
        raise CassetteError(where, f"events: {error}") from None
    if not isinstance(events, list):
        raise CassetteError(where, "events: these must be a list")
    return events
