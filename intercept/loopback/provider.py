"""The provider a test holds: start it, point an SDK at it, tell it what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.desk import Desk
from intercept.loopback.front import Front
from intercept.loopback.gate import Gate
from intercept.loopback.hold import Held, Hold
from intercept.loopback.left import Left
from intercept.loopback.server import Server

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from intercept.loopback.answer import Answer
    from intercept.loopback.received import Received


class Provider:
    """OpenAI's and Anthropic's API on 127.0.0.1; all methods may be called from any thread.

    ``OpenAI(base_url=provider.url + "/v1")``, ``AzureOpenAI(azure_endpoint=provider.url)``,
    ``Anthropic(base_url=provider.url)``.
    """

    def __init__(self, port: int = 0) -> None:
        """Prepare; nothing listens before ``start()``. Port 0 is a free one."""
        self._desk = Desk()
        self._port = port
        self._server: Server | None = None

    def start(self) -> Self:
        """Serve on a free port (or the one given); ready on return."""
        self._server = Server(Front(self._desk), self._port)
        self._server.start()
        return self

    def stop(self) -> None:
        """Drop every connection and stop."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``; raises ``RuntimeError`` when not started."""
        if self._server is None:
            msg = "the provider is not running: use it as a context manager, or start() it"
            raise RuntimeError(msg)
        return f"http://127.0.0.1:{self._server.port}"

    @property
    def hits(self) -> int:
        """How many requests arrived."""
        with self._desk.lock:
            return len(self._desk.received)

    @property
    def requests(self) -> list[Received]:
        """The requests, in order of arrival."""
        with self._desk.lock:
            return list(self._desk.received)

    @property
    def require_key(self) -> str | None:
        """The only key let in; None lets any in. ``reset()`` leaves it."""
        return self._desk.require_key

    @require_key.setter
    def require_key(self, key: str | None) -> None:
        self._desk.require_key = key

    def answer(self, *answers: Answer, path: str | None = None) -> None:
        """Queue answers; each request takes, as it arrives, the first one for its path or for any."""
        with self._desk.lock:
            self._desk.queue += [(path, answer) for answer in answers]

    def hold(self) -> Hold:
        """Make every request from now on wait before it is answered; as a context it lets go of the rest at exit."""
        with self._desk.lock:
            self._desk.hold = Hold()
            return self._desk.hold

    @property
    def held(self) -> list[Held]:
        """The requests that came since ``hold()``, in order of arrival, released ones too."""
        return self._desk.held()

    def gate(self) -> Gate:
        """Make every event of streams begun from now on wait for ``release``; as a context it opens at exit."""
        with self._desk.lock:
            self._desk.gate = Gate()
            return self._desk.gate

    @property
    def left(self) -> Left:
        """The requests whose client left before its answer was complete; ``left.wait(n)`` waits for it."""
        with self._desk.lock:
            return self._desk.left

    def reset(self) -> None:
        """Forget requests, queued answers and kept objects, count from the start, let go of all that wait."""
        self._desk.reset()

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()
