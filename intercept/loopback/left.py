"""Who left: the requests whose client went before its answer was complete."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from intercept.loopback.received import Received


class Left(Sequence["Received"]):
    """The requests whose client was seen to leave, in the order of leaving.

    It is seen while the answer waits: for a hold, for its delay, or for a gate before the next event.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._changed = threading.Condition()
        self._requests: list[Received] = []

    def note(self, received: Received) -> None:
        """Note one client that left."""
        with self._changed:
            self._requests.append(received)
            self._changed.notify_all()

    def wait(self, n: int, timeout: float = 5.0) -> None:
        """Block until ``n`` clients left in all; raises ``TimeoutError`` after ``timeout`` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._requests) >= n, timeout):
                msg = f"{len(self._requests)} of {n} clients left after {timeout:g} s"
                raise TimeoutError(msg)

    @overload
    def __getitem__(self, index: int) -> Received: ...
    @overload
    def __getitem__(self, index: slice) -> list[Received]: ...
    def __getitem__(self, index: int | slice) -> Received | list[Received]:
        """Return the requests by order of leaving."""
        with self._changed:
            return self._requests[index]

    def __len__(self) -> int:
        """Count them."""
        with self._changed:
            return len(self._requests)
