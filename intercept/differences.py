"""How two requests differ, and how much they are alike: by what they say, not by how they are written."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from intercept import canonical

if TYPE_CHECKING:
    from intercept.spi import JSON

    Value: TypeAlias = "JSON | Nothing"

_DEEPEST: Final = 64


class Nothing(enum.Enum):
    """Stands for a value that one of the two lacks: what is left out is not null."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING


class Difference(NamedTuple):
    """One place where two requests differ: its path, `messages[1].content`, and what either has there."""

    path: str
    recorded: Value
    asked: Value


def flat(request: dict[str, JSON]) -> dict[str, JSON]:
    """Put the fields of a JSON body beside what else a request has, as people name them; the body itself otherwise."""
    body = request.get("body")
    if not isinstance(body, dict):
        return request
    return {**{name: value for name, value in request.items() if name != "body"}, **body}


def differences(recorded: Value, asked: Value, path: str = "", depth: int = 0) -> Iterator[Difference]:
    """Give every place where two values differ, those inside of objects and arrays by themselves."""
    if _same(recorded, asked):
        return
    if depth < _DEEPEST and isinstance(recorded, dict) and isinstance(asked, dict):
        for name in [*asked, *(name for name in recorded if name not in asked)]:
            below = f"{path}.{name}" if path else name
            yield from differences(recorded.get(name, NOTHING), asked.get(name, NOTHING), below, depth + 1)
    elif depth < _DEEPEST and isinstance(recorded, list) and isinstance(asked, list):
        length = max(len(recorded), len(asked))
        for index, pair in enumerate(zip(_filled(recorded, length), _filled(asked, length), strict=True)):
            yield from differences(pair[0], pair[1], f"{path}[{index}]", depth + 1)
    else:
        yield Difference(path, recorded, asked)


def _same(recorded: Value, asked: Value) -> bool:
    """Compare as JSON does: `1`, `1.0` and `true` are equal to Python alone, also inside of others."""
    if recorded != asked or type(recorded) is not type(asked):
        return False
    # What is equal to a list or an object is one, too.
    return not isinstance(recorded, (dict, list)) or canonical.text(recorded) == canonical.text(cast("JSON", asked))


def likeness(recorded: Value, asked: Value) -> float:
    """Tell how much two values are alike, from 0 to 1: message by message, text by text, long ones counting for more.

    Where arrays have equal beginnings and ends, what was put in or taken out between is all that differs.
    """
    return _alike(recorded, asked, 0)


def _alike(recorded: Value, asked: Value, depth: int) -> float:
    pairs: list[tuple[Value, Value]]
    if depth > _DEEPEST:
        return float(_same(recorded, asked))
    if isinstance(recorded, dict) and isinstance(asked, dict):
        names = [*recorded, *(name for name in asked if name not in recorded)]
        pairs = [(recorded.get(name, NOTHING), asked.get(name, NOTHING)) for name in names]
    elif isinstance(recorded, list) and isinstance(asked, list):
        pairs = _aligned(recorded, asked)
    elif isinstance(recorded, str) and isinstance(asked, str):
        return _alike_texts(recorded, asked)
    else:
        return float(_same(recorded, asked))
    weights = [sqrt(max(_size(one), _size(other))) for one, other in pairs]
    alike = sum(weight * _alike(one, other, depth + 1) for weight, (one, other) in zip(weights, pairs, strict=True))
    return alike / sum(weights) if weights else 1.0


def _aligned(recorded: list[JSON], asked: list[JSON]) -> list[tuple[Value, Value]]:
    start = _equal_at_first(recorded, asked)
    most = min(len(recorded), len(asked)) - start
    stop = min(most, _equal_at_first(recorded[::-1], asked[::-1]))
    ends = [*range(start), *range(-stop, 0)]
    one, other = (each[start : len(each) - stop] for each in (recorded, asked))
    length = max(len(one), len(other))
    middle = zip(_filled(one, length), _filled(other, length), strict=True)
    return [*((recorded[at], asked[at]) for at in ends), *middle]


def _equal_at_first(recorded: Sequence[JSON], asked: Sequence[JSON]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(recorded, asked, strict=False)))


def _filled(values: list[JSON], length: int) -> list[Value]:
    return [*values, *[NOTHING] * (length - len(values))]


def _alike_texts(recorded: str, asked: str) -> float:
    """Compare by pairs of neighbouring words: takes the time of reading them, and tells when their order differs."""
    if recorded == asked:
        return 1.0
    one, other = (Counter(pairwise(["", *_words(text), ""])) for text in (recorded, asked))
    return 2 * (one & other).total() / (one.total() + other.total())


def _words(text: str) -> list[str]:
    """Split a text into words; one that is hardly divided by blanks, as in Chinese, into letters."""
    words = text.split()
    return words if len(words) * 16 > len(text) else [*text]


def _size(value: Value) -> int:
    """Return about how much there is to read in a value."""
    if isinstance(value, str):
        return len(value) + 1
    if isinstance(value, dict):
        return 1 + sum(_size(item) for item in value.values())
    if isinstance(value, list):
        return 1 + sum(_size(item) for item in value)
    return 1
