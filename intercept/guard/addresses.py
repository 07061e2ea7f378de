"""Which addresses stay open: this machine's own, and those that a session allows."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final

_LOCAL_NAMES: Final = frozenset({"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", ""})


def host_of(address: Any) -> str | None:
    """Return the host of an address of the Internet; None for any other kind, such as a path of a Unix socket."""
    if isinstance(address, tuple) and address:
        return _text(address[0])
    return None


def _text(host: Any) -> str:
    if isinstance(host, (bytes, bytearray)):
        return bytes(host).decode("latin-1")
    return "" if host is None else str(host)


def is_local(host: str) -> bool:
    """Whether a name or an address is this machine's own: loopback, and the unspecified address, which leads there."""
    if host.lower().rstrip(".") in _LOCAL_NAMES:
        return True
    found = parsed(host)
    if found is None:
        return host.lower().rstrip(".").endswith(".localhost")
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback or found.is_unspecified)


def parsed(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Read an address; None for a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


class Allowed:
    """The hosts that one session allows: names, whose addresses count too, addresses, and networks such as 10.0.0.0/8.

    `suspended` lets the look-up of a name through that is asked here.
    """

    def __init__(self, hosts: Iterable[str], suspended: Callable[[], AbstractContextManager[None]]) -> None:
        self._suspended = suspended
        self.hosts = tuple(hosts)
        self._names: set[str] = set()
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for host in self.hosts:
            try:
                self._networks.append(ipaddress.ip_network(host, strict=False))
            except ValueError:
                self._names.add(host.lower().rstrip("."))
        self._resolved: set[str] | None = None

    def __contains__(self, host: str) -> bool:
        """Whether a name or an address is allowed."""
        address = parsed(host)
        if address is None:
            return host.lower().rstrip(".") in self._names
        if any(address in network for network in self._networks):
            return True
        return bool(self._names) and str(address) in self._addresses()

    def _addresses(self) -> set[str]:
        """Return the addresses of all names, which are looked up once."""
        if self._resolved is None:
            self._resolved = set()
            for name in self._names:
                with self._suspended():
                    try:
                        found = socket.getaddrinfo(name, None)
                    except OSError:
                        continue
                self._resolved.update(str(entry[4][0]) for entry in found)
        return self._resolved
