"""Every way out of the process, closed."""

from __future__ import annotations

import asyncio
import socket
from asyncio import selector_events
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import pytest

_DOORS: Final[list[tuple[Any, str]]] = [
    *((socket, name) for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "create_connection")),
    *((socket.socket, name) for name in ("connect", "connect_ex", "sendto", "sendmsg")),
    *((asyncio.BaseEventLoop, name) for name in ("getaddrinfo", "create_connection", "create_datagram_endpoint")),
    (selector_events.BaseSelectorEventLoop, "sock_connect"),
]


@contextmanager
def closed_doors() -> Generator[list[str], None, None]:
    """Let no name be looked up and no socket be connected; the list names what was tried, in vain."""
    tried: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in _DOORS:
            patch.setattr(owner, name, _refusing(f"{owner.__name__}.{name}", tried))
        yield tried


def _refusing(name: str, tried: list[str]) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        tried.append(name)
        raise OSError(f"{name} is closed")

    return refuse
