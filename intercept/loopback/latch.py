"""A wait on the server's loop that any thread can end."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future


class Latch:
    """Opened once from any thread; awaited by one task of the server's loop."""

    def __init__(self) -> None:
        """Start closed."""
        self._future: Future[None] = Future()

    @property
    def opened(self) -> bool:
        """Whether nobody waits any more: it was opened, or its waiter has gone."""
        return self._future.done()

    def open(self) -> bool:
        """Let the waiter go on; False when there is none left to let go."""
        # A waiter whose client has gone cancels the future; set_result on it would raise InvalidStateError.
        if self._future.done() or not self._future.set_running_or_notify_cancel():
            return False
        self._future.set_result(None)
        return True

    async def wait(self) -> None:
        """Wait until it is opened."""
        await asyncio.wrap_future(self._future)
