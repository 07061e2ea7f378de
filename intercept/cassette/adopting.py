"""Putting what was recorded in its place: what was recorded again gives way, the rest stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from intercept.cassette import files
from intercept.cassette.arranging import arranged
from intercept.cassette.format import Origin
from intercept.cassette.layouts import writable
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from intercept.cassette.arranging import CapsOf, Kept
    from intercept.cassette.index import Cassette, Key, Place
    from intercept.cassette.layouts import Layout
    from intercept.cassette.state import Recorded

Alone = Literal["record", "update"]
"""The modes in which one recorder alone writes a cassette."""


def settle(  # noqa: PLR0913  what a recording is made of
    layout: Layout, new: Cassette, mode: Alone, earlier: Recorded, *, origin: Origin, caps: CapsOf
) -> None:
    """Put the rows of a session that ended well in their place; used behind the gate.

    `record` leaves nothing else in the cassette, `update` what was not asked again; both leave what the same run has
    recorded before. Raises `CassetteError` if the cassette cannot be written.
    """
    done, met = earlier.keys(), frozenset(new.groups)

    def kept(key: Key, place: Place) -> bool:
        return done is None or place.recorded_as(key) in done or (mode == "update" and key not in met)

    _put(layout, new, kept, mode, origin=origin, caps=caps)
    earlier.note(None if mode == "record" or done is None else done | met)


def adopt(layout: Layout, new: Cassette, *, caps: CapsOf) -> int:
    """Put the rows that a recording left behind in their place, as its end would have; return how many others stay.

    A recording of tests takes the place of its own tests' rows alone: others may have recorded the cassette since.
    """
    met = frozenset(new.groups)
    tests = {_test(place) for _, place in new.in_order()}
    update = new.header.mode == "update"

    def kept(key: Key, place: Place) -> bool:
        others = "" not in tests and _test(place) not in {"", *tests}
        return others or new.header.mode == "extend" or (update and key not in met)

    return _put(
        layout,
        new,
        kept,
        "update" if update else "record",
        origin=Origin(new.header.sdks, new.header.redaction),
        caps=caps,
    )


def _put(  # noqa: PLR0913  likewise
    layout: Layout, new: Cassette, kept: Kept, mode: Alone, *, origin: Origin, caps: CapsOf
) -> int:
    old = writable(layout)
    rows = arranged(new, old, kept, in_slots=mode == "update")
    stay = sum(not row.new for row in rows)
    try:
        layout.put(rows, origin, old, caps)
    except (OSError, ValueError) as error:  # a text that is no UTF-8 may stand where nobody has looked
        reason = f"it could not be written ({files.reason_of(error)}); what was recorded is in {new.path}"
        raise CassetteError(str(layout.path), reason) from error
    finally:
        if old is not None:
            old.close()
    return stay


def _test(place: Place) -> str:
    """Name the test of a row, however often it was run."""
    return (place.test or "").partition(" #")[0]
