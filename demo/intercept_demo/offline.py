"""A process cut off: whoever looks up a name or connects a socket gets an error, and is counted."""

from __future__ import annotations

import errno
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Generator

_DOORS: Final = (
    (socket.socket, "connect"),
    (socket.socket, "connect_ex"),
    (socket, "getaddrinfo"),
    (socket, "gethostbyname"),
)


@contextmanager
def cut_off() -> Generator[list[str]]:
    """Shut every way out while the block runs; gives the list of what was tried."""
    attempts: list[str] = []
    with ExitStack() as undo:
        for owner, name in _DOORS:
            undo.enter_context(mock.patch.object(owner, name, _refusal(name, attempts)))
        yield attempts


def _refusal(name: str, attempts: list[str]) -> Any:
    def refuse(*args: Any, **_: Any) -> Any:
        target = next((arg for arg in args if not isinstance(arg, socket.socket)), "")
        attempts.append(f"{name} {target}")
        raise OSError(errno.ENETUNREACH, f"the demo has cut this process off: {name} {target}")

    return refuse
