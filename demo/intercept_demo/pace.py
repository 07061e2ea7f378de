"""How long the stand-in lets the agent wait, so that the two runs can be told apart by the clock as well."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

    from intercept.loopback import Gate

BEFORE_A_COMPLETION: Final = 0.3
"""Seconds."""

BETWEEN_EVENTS: Final = 0.03
"""Seconds, of one stream."""


@contextmanager
def pacing(gate: Gate) -> Generator[None]:
    """Let one event after another through the gate, from a thread of its own."""
    over = threading.Event()

    def pace() -> None:
        released = 0
        while not over.wait(BETWEEN_EVENTS):
            if gate.sent == released:  # else one waits for a stream to begin: never two, they would go out at once
                gate.release()
                released += 1

    thread = threading.Thread(target=pace, name="demo-pace", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
