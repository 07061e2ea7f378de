"""uvicorn in a daemon thread: ready on return, gone within milliseconds whatever is open."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp


class _Connection(H11Protocol):
    """Hands its transport to the application (``scope["state"]``), which may have to drop it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # uvicorn narrows it too
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


class _Loop(uvicorn.Server):
    """uvicorn's server without its polling: it waits for an event, and aborts what is open when it stops."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._stop: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def stop(self) -> None:
        """End it, from any thread."""
        if self._stop is not None:
            loop, event = self._stop
            loop.call_soon_threadsafe(event.set)

    async def main_loop(self) -> None:
        event = asyncio.Event()
        self._stop = (asyncio.get_running_loop(), event)
        self.ready.set()
        await event.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for listener in sockets or []:
            listener.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        # Each request sees its client gone and ends by itself; the loop's end cancels the rest.
        if self.server_state.tasks:
            await asyncio.wait(list(self.server_state.tasks), timeout=0.1)


class Server:
    """One application on 127.0.0.1."""

    def __init__(self, app: ASGIApp, port: int = 0) -> None:
        """Bind a port; 0 is a free one."""
        # asyncio sends small writes at once only where the protocol is named; else many an answer waits 40 ms.
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=_Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            # An idle connection must outlive a test that thinks between two requests.
            timeout_keep_alive=600,
        )
        self._loop = _Loop(config)
        self._thread = threading.Thread(target=self._run, name=f"loopback-{self.port}", daemon=True)

    def start(self) -> None:
        """Serve; ready on return."""
        self._thread.start()
        if not self._loop.ready.wait(10):
            msg = "the loopback server did not start"
            raise RuntimeError(msg)

    def stop(self) -> None:
        """Drop every connection and end the thread."""
        self._loop.stop()
        self._thread.join(5)

    def _run(self) -> None:
        self._loop.run(sockets=[self._listener])
