"""Sending a process a signal at one line of the store that it runs: in the middle of whatever that line does."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, Final

from intercept.cassette import files

_STORE: Final = str(Path(files.__file__).parent)


class Countdown:
    """Counts the lines of the store that this thread runs, and sends the signal at the chosen one, from 1."""

    def __init__(self, number: signal.Signals, at: int | None) -> None:
        self.lines = 0
        self._number = number
        self._at = at

    def start(self) -> None:
        """Count from now on."""
        sys.settrace(self._called)

    def stop(self) -> int:
        """Count no longer; return how many lines there were."""
        sys.settrace(None)
        return self.lines

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(_STORE) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self._at:
                os.kill(os.getpid(), self._number)
        return self._line


def points(seed: str, count: int, most: int) -> list[int]:
    """Choose some numbers from 1 to `most`, evenly spread and the same each time."""
    chance = random.Random(seed)  # noqa: S311  no secret
    return [1 + int((number + chance.random()) * most / count) for number in range(count)]
