"""Which rows a cassette holds after a recording, in which order, and under which numbers."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, TypeAlias

from intercept.cassette import format as form
from intercept.cassette.claims import refuse_past_highest
from intercept.cassette.index import taken
from intercept.cassette.rows import decode_row

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
        text = self.cassette.text(self.place)
        row = decode_row(self.cassette.where(self.place), text)
        told = form.told(caps((row.adapter, row.provider, row.model)))
        return form.rewritten(text, occurrence=self.occurrence, caps=told)


def arranged(new: Cassette, old: Cassette | None, kept: Kept, *, in_slots: bool) -> list[Arranged]:
    """Arrange new rows, in the order of their calls, behind the old ones that are kept.

    With `in_slots` a new row takes the slot of an old one of the same request that gives way: what was asked again
    stands where it stood.
    """
    numbers = _numbers(new, old, kept)
    by_key: dict[Key, deque[Arranged]] = defaultdict(deque)
    for key, place in sorted(new.in_order(), key=lambda row: _called(row[1])):
        number = next(numbers[key], place.occurrence)
        refuse_past_highest(new.where(place), number or 0)
        by_key[key].append(Arranged(key, new, place, new=True, occurrence=number))
    found: list[Arranged] = []
    for key, place in () if old is None else old.in_order():
        assert old is not None
        if kept(key, place):
            found.append(Arranged(key, old, place, new=False))
        elif in_slots and by_key[key]:
            found.append(by_key[key].popleft())
    rest = chain.from_iterable(by_key.values())
    return found + sorted(rest, key=lambda row: _called(row.place))


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
