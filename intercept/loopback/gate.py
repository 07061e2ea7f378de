"""A gate before every chunk of a stream: each is written only when the test releases it."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from intercept.loopback.latch import Latch

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self


class Gate:
    """Lets the events of streams through, first come first; as a context it opens at exit."""

    def __init__(self) -> None:
        """Start closed."""
        self._changed = threading.Condition()
        self._waiting: deque[Latch] = deque()
        self._permits = 0
        self._sent = 0
        self._opened = False

    @property
    def sent(self) -> int:
        """How many events were written."""
        return self._sent

    def release(self, n: int = 1) -> None:
        """Let ``n`` more events through, those that wait first."""
        with self._changed:
            self._permits += n
            self._let_go()

    def open(self) -> None:
        """Let everything through from now on."""
        with self._changed:
            self._opened = True
            self._let_go()

    def wait(self, n: int, timeout: float = 5.0) -> None:
        """Block until ``n`` events were written in all; raises ``TimeoutError`` after ``timeout`` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._sent >= n, timeout):
                msg = f"{self._sent} of {n} events were written after {timeout:g} s"
                raise TimeoutError(msg)

    def queue(self) -> Latch:
        """Return the latch the next event of a stream waits for."""
        with self._changed:
            latch = Latch()
            self._waiting.append(latch)
            self._let_go()
            return latch

    def count(self) -> None:
        """Note one event; the server calls it just before the write, so that a reader never sees more than ``sent``."""
        with self._changed:
            self._sent += 1
            self._changed.notify_all()

    def _let_go(self) -> None:
        while self._waiting and (self._opened or self._permits > 0):
            # A stream whose client has gone takes no permit with it.
            if self._waiting.popleft().open() and not self._opened:
                self._permits -= 1

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Open."""
        self.open()
