"""Every way out that Python code has, tried: what each met is printed as JSON. Run in this process, or as a program."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from typing import Any

ELSEWHERE = "192.0.2.1"
"""A documentation address (RFC 5737): nobody is there."""
NAME = "provider.invalid"
"""A name that nobody has (RFC 2606)."""


def _socket(kind: int, use: Callable[[socket.socket], Any]) -> Any:
    with socket.socket(socket.AF_INET, kind) as opened:
        opened.settimeout(0.2)
        return use(opened)


async def _opened(host: str, port: int) -> None:
    _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), 0.5)
    writer.close()


async def _datagram(host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(asyncio.DatagramProtocol, remote_addr=(host, port))
    transport.close()


def _fetched(url: str) -> None:
    urllib.request.urlopen(url, timeout=0.5).close()  # noqa: S310  an address of ours


def ways(host: str, port: int) -> dict[str, Callable[[], Any]]:
    """Name the ways to one place."""
    place = (host, port)
    found: dict[str, Callable[[], Any]] = {
        "connect": lambda: _socket(socket.SOCK_STREAM, lambda opened: opened.connect(place)),
        "connect_ex": lambda: _socket(socket.SOCK_STREAM, lambda opened: opened.connect_ex(place)),
        "sendto": lambda: _socket(socket.SOCK_DGRAM, lambda opened: opened.sendto(b"x", place)),
        "sendmsg": lambda: _socket(socket.SOCK_DGRAM, lambda opened: opened.sendmsg([b"x"], [], 0, place)),
        "create_connection": lambda: socket.create_connection(place, timeout=0.2).close(),
        "urllib": lambda: _fetched(f"http://{host}:{port}/"),
        "asyncio": lambda: asyncio.run(_opened(host, port)),
        "asyncio datagram": lambda: asyncio.run(_datagram(host, port)),
        "getnameinfo": lambda: socket.getnameinfo(place, socket.NI_NUMERICHOST),
        "gethostbyaddr": lambda: socket.gethostbyaddr(host),
    }
    if sys.platform != "win32":
        import uvloop

        found["uvloop"] = lambda: uvloop.run(_opened(host, port))
        found["uvloop datagram"] = lambda: uvloop.run(_datagram(host, port))
    return found


def lookups(name: str) -> dict[str, Callable[[], Any]]:
    """Name the ways to look a name up."""
    found: dict[str, Callable[[], Any]] = {
        "getaddrinfo": lambda: socket.getaddrinfo(name, 80),
        "gethostbyname": lambda: socket.gethostbyname(name),
        "gethostbyname_ex": lambda: socket.gethostbyname_ex(name),
        "asyncio look-up": lambda: asyncio.run(_looked_up(name)),
        "urllib by name": lambda: _fetched(f"http://{name}/"),
    }
    if sys.platform != "win32":
        import uvloop

        found["uvloop look-up"] = lambda: uvloop.run(_looked_up(name))
        found["uvloop by name"] = lambda: uvloop.run(_opened(name, 80))
    return found


async def _looked_up(name: str) -> None:
    await asyncio.get_running_loop().getaddrinfo(name, 80)


def met(way: Callable[[], Any]) -> str:
    """Try one way, and name what it met: the error's type, or "open"."""
    try:
        way()
    except BaseException as error:  # noqa: BLE001  a probe reports whatever it was
        causes: list[str] = []
        at: BaseException | None = error
        while at is not None:
            causes.append(type(at).__name__)
            at = at.__cause__ or at.__context__
        return "NetworkBlocked" if "NetworkBlocked" in causes else causes[0]
    return "open"


def tried(host: str, port: int, name: str) -> dict[str, str]:
    """Try every way."""
    return {way: met(use) for way, use in {**ways(host, port), **lookups(name)}.items()}


def in_child(*, env: dict[str, str] | None, code: str) -> Any:
    """Run code in a Python process of its own, and return the JSON that it prints."""
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
