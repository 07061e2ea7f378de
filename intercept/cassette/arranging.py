"""Which rows a cassette holds after a recording, in which order, and under which numbers."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from intercept.cassette import format as form
from intercept.cassette.index import taken
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from intercept.capabilities import Subject
    from intercept.cassette.index import Cassette, Key, Place
    from intercept.spi import Caps

    CapsOf: TypeAlias = Callable[[Subject], Caps | None]
    Kept: TypeAlias = Callable[[Key, Place], bool]


@dataclass(frozen=True, slots=True)
class Arranged:
    """A row in its future place: one of the old cassette, which stays as it is, or a new one with its number."""

    key: Key
    cassette: Cassette
    place: Place
    new: bool
    occurrence: int | None = None

    def pieces(self, caps: CapsOf) -> list[form.Piece]:
        """Write a new row; nothing for an old one."""
        if not self.new:
            return []
        text = self.cassette.source.text(self.place)
        row = self.cassette.row(self.place)
        told = form.told(caps((row.adapter, row.provider, row.model)))
        return form.rewritten(text, occurrence=self.occurrence, caps=told)


def arranged(new: Cassette, old: Cassette | None, kept: Kept, *, in_slots: bool) -> list[Arranged]:
    """Arrange new rows, in the order of their calls, behind the old ones that are kept.

    With `in_slots` a new row takes the slot of an old one of the same request that gives way: what was asked again
    stands where it stood.
    """
    waiting = _in_order_of_calls(new)
    numbers = _numbers(new, old, kept)
    by_key: dict[Key, deque[Arranged]] = defaultdict(deque)
    for key, place in waiting:
        number = next(numbers[key], place.occurrence)
        if number is not None and number > form.HIGHEST_OCCURRENCE:
            raise CassetteError(new.where(place), f"occurrence: {number} is past the highest that a request can have")
        by_key[key].append(Arranged(key, new, place, new=True, occurrence=number))
    found: list[Arranged] = []
    for key, place in () if old is None else old.in_order():
        assert old is not None
        if kept(key, place):
            found.append(Arranged(key, old, place, new=False))
        elif in_slots and by_key[key]:
            found.append(by_key[key].popleft())
    rest = (by_key[key].popleft() for key, _ in waiting if by_key[key])
    return found + sorted(rest, key=lambda row: _called(row.place))


def _in_order_of_calls(new: Cassette) -> list[tuple[Key, Place]]:
    return sorted(new.in_order(), key=lambda row: _called(row[1]))


def _called(place: Place) -> tuple[int, int]:
    return place.sequence or 0, place.number


def _numbers(new: Cassette, old: Cassette | None, kept: Kept) -> dict[Key, Iterator[int]]:
    """Return the numbers that new rows take on: past those of rows that are kept, else those they have."""
    numbers: dict[Key, Iterator[int]] = {}
    for key, group in new.groups.items():
        before = [place for place in (old.groups.get(key, []) if old else []) if kept(key, place)]
        counted = any(place.occurrence is None for place in group)  # a forked process had none to give
        numbers[key] = count(taken(before)) if before or counted else iter(())
    return numbers
