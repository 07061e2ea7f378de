"""What stands in the place of a secret: `[REDACTED:openai-key:1]`.

Numbers count the different secrets of one kind in one request and its answer, so that equal ones can be told from
different ones. They are for the reader: `plain` leaves them out of the identity, so that a request stays the same
request whether it holds the secret itself or, because an answer was replayed, its placeholder.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from intercept.spi import REDACTED, STAND_IN

__all__ = ["PLACEHOLDER", "STAND_IN", "Placeholders", "identity", "is_hidden", "plain"]

PLACEHOLDER: Final = re.compile(r"\[REDACTED(?::([a-z][a-z0-9-]*)(?::(x?[0-9a-f]+))?)?\]")
_NUMBERED: Final = re.compile(r"(\[REDACTED:[a-z][a-z0-9-]*):[0-9]+\]")
_START: Final = REDACTED[:-1]
_DIGITS: Final = 8


def plain(text: str) -> str:
    """Leave the numbers out."""
    return _NUMBERED.sub(r"\1]", text) if _START in text else text


def identity(label: str, value: str) -> str:
    """Return the placeholder of what tells who asked: the same in every request, other for another.

    It has no number but a part of a digest: such ids are drawn at random and long, so nobody can guess them from it.
    """
    return f"{_START}:{label}:x{hashlib.sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}]"


def is_hidden(redacted: str, text: str) -> bool:
    """Whether the first is the second with some parts hidden, each of a letter at least."""
    first, *between = PLACEHOLDER.sub("\0", redacted).split("\0")
    if not between or not text.startswith(first):
        return False
    last = between.pop()
    at = len(first) + 1
    for part in between:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part) + 1
    return text.endswith(last) and len(text) - len(last) >= at


class Placeholders:
    """The placeholders of one exchange: first its request's, then its answer's."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}
        self._reserved: dict[str, set[int]] = {}
        self._last: dict[str, int] = {}

    def reserve(self, text: str) -> None:
        """Keep the numbers of placeholders that are there already from being given to others."""
        if _START in text:
            for label, number in PLACEHOLDER.findall(text):
                if number.isdigit() and len(number) <= _DIGITS:
                    self._reserved.setdefault(label, set()).add(int(number))

    def of(self, label: str, value: str) -> str:
        """Return the placeholder of a secret: equal ones have the same, different ones have different ones."""
        given = self._given.get((label, value))
        if given is None:
            number = self._last.get(label, 0) + 1
            while number in self._reserved.get(label, ()):
                number += 1
            self._last[label] = number
            given = self._given[label, value] = f"{_START}:{label}:{number}]"
        return given
