"""Where in a file a secret stands: its line and column."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from intercept.scan.noting import Note

_TOLD: Final = 48
"""Characters that tell a text from others well enough to find it."""


class Places:
    """Finds what was noted in the text of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[int] | None = None
        self._last: dict[tuple[str, int, int], int] = {}

    def of(self, note: Note) -> tuple[int, int]:
        """Return line and column, both counted from 1; of what is not there as it is, where the text around begins."""
        start, stop = note.start, note.stop or len(self._text)
        for wanted in (note.value, _escaped(note.value), note.around[:_TOLD], _escaped(note.around[:_TOLD])):
            if not wanted:
                continue
            key = (wanted, start, stop)
            at = self._text.find(wanted, self._last.get(key, start), stop)
            if at < 0:
                at = self._text.find(wanted, start, stop)
            if at >= 0:
                self._last[key] = at + len(wanted)
                return self.line_and_column(at)
        return self.line_and_column(start)

    def line_and_column(self, at: int) -> tuple[int, int]:
        """Return the place of a character."""
        if self._lines is None:
            self._lines = [0]
            at_end = self._text.find("\n")
            while at_end >= 0:
                self._lines.append(at_end + 1)
                at_end = self._text.find("\n", at_end + 1)
        line = bisect_right(self._lines, at)
        return line, at - self._lines[line - 1] + 1


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
