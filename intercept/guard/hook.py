"""The audit hook: Python tells it of every connection and look-up, before it happens, and it may refuse.

A hook stays for the life of the process, so it is put in when the first session needs it, and does nothing while none
does. What does not go through Python's `socket` is not told of: C libraries with sockets of their own, and uvloop,
which is looked after by `intercept.guard.loops`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

from intercept import current
from intercept.errors import NetworkBlocked
from intercept.guard.addresses import Allowed, host_of, is_local

VARIABLE: Final = "INTERCEPT_BLOCK_NETWORK"
"""Tells Python processes that are started meanwhile to block too, and which hosts are allowed: `1:host,host`."""

_ADDRESS: Final[dict[str, int]] = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
}
"""The events that are looked at, and which of their arguments says where to."""
_LOOKUPS: Final = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")

_suspended: Final = threading.local()


@contextmanager
def suspended() -> Generator[None, None, None]:
    """Let this thread through."""
    before = getattr(_suspended, "on", False)
    _suspended.on = True
    try:
        yield
    finally:
        _suspended.on = before


class Block:
    """One session, or a whole process, that blocks the network."""

    def __init__(self, name: str, hosts: tuple[str, ...], note: Callable[[str], None], session: Any = None) -> None:
        self.name = name
        self.note = note
        self.allowed = Allowed(hosts, suspended)
        self.session = session


class Guard:
    """All that block now. The environment of child processes says so too."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._blocks: list[Block] = []
        self._installed = False
        self._before: str | None = None

    def begin(self, block: Block) -> None:
        """Block from now on."""
        with self._lock:
            if not self._installed:
                sys.addaudithook(self._audit)
                self._installed = True
            if not self._blocks:
                self._before = os.environ.get(VARIABLE)
            self._blocks.append(block)
            os.environ[VARIABLE] = self.told()

    def end(self, block: Block) -> None:
        """Block no more for this one; the last leaves the environment as it was."""
        with self._lock:
            if block in self._blocks:
                self._blocks.remove(block)
            if self._blocks:
                os.environ[VARIABLE] = self.told()
            elif self._before is None:
                os.environ.pop(VARIABLE, None)
            else:
                os.environ[VARIABLE] = self._before

    @property
    def active(self) -> bool:
        """Whether anything blocks."""
        return bool(self._blocks)

    def told(self) -> str:
        """Return what the variable says."""
        return "1:" + ",".join(dict.fromkeys(host for block in self._blocks for host in block.allowed.hosts))

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._blocks or event not in _ADDRESS:
            return
        argument = args[_ADDRESS[event]] if len(args) > _ADDRESS[event] else None
        address: Any = argument if event not in _LOOKUPS else (argument, *args[1:2]) if len(args) > 1 else (argument,)
        host = host_of(address)
        port = address[1] if host is not None and len(address) > 1 else None
        if host is not None:
            self.check(event, host, port)

    def check(self, event: str, host: str, port: Any) -> None:
        """Raise `NetworkBlocked` if nothing may go to this host now."""
        if not self._blocks or getattr(_suspended, "on", False) or is_local(host):
            return
        block = self._block()
        if block is None or host in block.allowed:
            return
        place = f"{host}:{port}" if isinstance(port, (int, str)) and str(port) not in ("", "0") else host
        block.note(place)
        raise NetworkBlocked(event, place, block.name)

    def _block(self) -> Block | None:
        """Return the one that decides here: none where the code runs in a session that lets everything pass."""
        carried = current.carried()
        own = next((block for block in self._blocks if block.session is carried), None) if carried is not None else None
        if own is not None:
            return own
        if carried is not None and not carried.ended:
            return None
        blocks = self._blocks
        return blocks[-1] if blocks else None


GUARD: Final = Guard()
"""The one guard of this process."""
