"""The thread-safe middle: requests are noted here by the server, answers and waits are set here by the test."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from intercept.loopback.answer import Answer
from intercept.loopback.front import Arrival
from intercept.loopback.left import Left
from intercept.loopback.mint import Mint
from intercept.loopback.openai.errors import wrong_key
from intercept.loopback.shelf import Shelf

if TYPE_CHECKING:
    from intercept.loopback.gate import Gate
    from intercept.loopback.hold import Held, Hold
    from intercept.loopback.received import Received


class Desk:
    """What a provider knows and was told; every method may be called from any thread."""

    def __init__(self) -> None:
        """Start with nothing told."""
        self.lock = threading.Lock()
        self.require_key: str | None = None
        self.received: list[Received] = []
        self.queue: list[tuple[str | None, Answer]] = []
        self.hold: Hold | None = None
        self.gate: Gate | None = None
        self.left = Left()
        self.shelf = Shelf()

    def arrive(self, received: Received) -> Arrival:
        """Note one request and decide on it: who may not come in, a queued answer, a wait."""
        with self.lock:
            self.received.append(received)
            turn = len(self.received)
            answer = self._refusal(received, turn) or self._queued(received.path)
            held = None if self.hold is None else self.hold.take(received)
            return Arrival(turn, answer, held, self.gate, self.shelf)

    def reset(self) -> None:
        """Back to the start, nobody waiting."""
        with self.lock:
            hold, gate = self.hold, self.gate
            self.received, self.queue, self.shelf = [], [], Shelf()
            self.hold = self.gate = None
            self.left = Left()
        for waits in (hold, gate):
            if waits is not None:
                waits.open()

    def leave(self, received: Received) -> None:
        """Note that the client of a request left before its answer was complete."""
        with self.lock:
            left = self.left
        left.note(received)

    def held(self) -> list[Held]:
        """Return the requests the current hold has seen."""
        with self.lock:
            return [] if self.hold is None else list(self.hold)

    def _queued(self, path: str) -> Answer | None:
        for place, (wanted, answer) in enumerate(self.queue):
            if wanted is None or wanted == path:
                del self.queue[place]
                return answer
        return None

    def _refusal(self, received: Received, turn: int) -> Answer | None:
        key = received.key
        if self.require_key is None or key == self.require_key:
            return None
        if received.to_anthropic:
            return Answer.anthropic_error(401, request_id=Mint(turn).base62("req_011C", 20))
        return Answer(401, wrong_key(key), (("x-request-id", Mint(turn).hex("req_", 32)),))
