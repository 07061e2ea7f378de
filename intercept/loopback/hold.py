"""Holding requests: each waits, unanswered, until the test lets it go."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from intercept.loopback.latch import Latch

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from intercept.loopback.received import Received


@dataclass(frozen=True, slots=True)
class Held:
    """One request that waits for its answer."""

    received: Received
    latch: Latch = field(default_factory=Latch, repr=False)

    @property
    def waiting(self) -> bool:
        """Whether it still waits."""
        return not self.latch.opened

    def release(self) -> None:
        """Let it be answered now; a second time does nothing."""
        self.latch.open()


class Hold(Sequence[Held]):
    """The requests that came since ``Provider.hold()``, in order of arrival; as a context it opens at exit."""

    def __init__(self) -> None:
        """Start empty, holding."""
        self._arrived = threading.Condition()
        self._held: list[Held] = []
        self._opened = False

    def take(self, received: Received) -> Held | None:
        """Make a request wait; None once the hold is open."""
        with self._arrived:
            if self._opened:
                return None
            held = Held(received)
            self._held.append(held)
            self._arrived.notify_all()
            return held

    def wait(self, n: int, timeout: float = 5.0) -> None:
        """Block until ``n`` requests wait; raises ``TimeoutError`` after ``timeout`` seconds."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: self._waiting() >= n, timeout):
                msg = f"{self._waiting()} of {n} requests wait after {timeout:g} s"
                raise TimeoutError(msg)

    def open(self) -> None:
        """Hold no more, and let go of all that wait."""
        with self._arrived:
            self._opened = True
            rest = list(self._held)
        for held in rest:
            held.release()

    def _waiting(self) -> int:
        return sum(held.waiting for held in self._held)

    @overload
    def __getitem__(self, index: int) -> Held: ...
    @overload
    def __getitem__(self, index: slice) -> list[Held]: ...
    def __getitem__(self, index: int | slice) -> Held | list[Held]:
        """Return the requests by order of arrival."""
        with self._arrived:
            return self._held[index]

    def __len__(self) -> int:
        """Count the requests, released ones too."""
        with self._arrived:
            return len(self._held)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Open."""
        self.open()
