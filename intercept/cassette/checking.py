"""What is looked at in a row when it is served, and in every row by `validate`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, cast

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.cassette.layouts import layout_of
from intercept.cassette.rows import decode_row
from intercept.errors import CassetteError
from intercept.events import MalformedEvent, restore
from intercept.identity import request_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from intercept.cassette.index import Cassette, Key, Place
    from intercept.cassette.rows import Row
    from intercept.paths import Location
    from intercept.spi import JSON


def row_at(cassette: Cassette, key: Key, place: Place) -> tuple[Row, list[JSON]]:
    """Return a row and its events; raise `CassetteError` for one that cannot be served."""
    text, where = cassette.text(place), cassette.where(place)
    row = decode_row(where, text)
    told = row.adapter, row.request_hash
    if told != place.recorded_as(key) or (row.occurrence, row.test) != (place.occurrence, place.test):
        raise CassetteError(where, "another row stands here than when the cassette was opened")
    fields = _fields(where, row, text)
    _check_request(where, row, fields["request"])
    _check_headers(where, row)
    events = fields["events"]
    if not isinstance(events, list):
        raise CassetteError(where, "events: these must be a list")
    return row, events


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


def _fields(where: str, row: Row, text: bytes) -> dict[str, JSON]:
    """Parse the whole of a row, once; where a name stands twice in it, readers of JSON would not agree."""
    try:
        return cast("dict[str, JSON]", canonical.loads(text))
    except NotCanonical as error:
        if why := _fault(row.request):
            raise _edited(where, row, f" ({why})") from None
        why = _fault(row.events)
        raise CassetteError(where, f"events: {why}" if why else str(error)) from None


def _fault(value: msgspec.Raw) -> str | None:
    """Say why a field is no strict JSON."""
    try:
        canonical.loads(bytes(value))
    except NotCanonical as error:
        return str(error)
    return None


def _check_request(where: str, row: Row, request: JSON) -> None:
    """Refuse a row whose request was edited: it would answer a question it does not show."""
    try:
        fits = isinstance(request, dict) and request_hash(row.adapter, row.provider, request) == row.request_hash
    except NotCanonical as error:
        raise _edited(where, row, f" ({error})") from None
    if not fits:
        raise _edited(where, row)


def _edited(where: str, row: Row, why: str = "") -> CassetteError:
    return CassetteError(
        where,
        f"request: it does not fit its request_hash{why}, so it was edited since {row.operation or 'it'} was "
        "recorded; undo the edit, or record the call anew",
    )


def _check_headers(where: str, row: Row) -> None:
    """Refuse what HTTP cannot carry: it was edited in."""
    for name, value in chain(row.headers, *(hop.headers for hop in row.hops)):
        if not name.isascii() or any(character > "\xff" for character in value):
            raise CassetteError(where, f"headers: HTTP cannot carry {name!r:.40}")
