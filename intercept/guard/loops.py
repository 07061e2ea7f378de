"""uvloop opens its sockets itself, and tells no audit hook: its loop's own methods are looked after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from intercept.guard.addresses import host_of
from intercept.guard.hook import GUARD
from intercept.spi import PatchPoint

if TYPE_CHECKING:
    from collections.abc import Callable


def _argument(args: tuple[Any, ...], kwargs: dict[str, Any], position: int, name: str) -> Any:
    return kwargs[name] if name in kwargs else args[position] if len(args) > position else None


def _to_host(position: int) -> Callable[..., Any]:
    """Make the wrapper of a method that is given a host and a port."""

    def wrapper(wrapped: Callable[..., Any], _loop: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        host = _argument(args, kwargs, position, "host")
        if host is not None:
            GUARD.check("uvloop", str(host), _argument(args, kwargs, position + 1, "port"))
        return wrapped(*args, **kwargs)

    return wrapper


def _to_address(position: int, name: str) -> Callable[..., Any]:
    """Make the wrapper of a method that is given an address."""

    def wrapper(wrapped: Callable[..., Any], _loop: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        address = _argument(args, kwargs, position, name)
        host = host_of(address)
        if host is not None:
            GUARD.check("uvloop", host, address[1] if len(address) > 1 else None)
        return wrapped(*args, **kwargs)

    return wrapper


PATCH_POINTS: Final = tuple(
    PatchPoint("uvloop", f"Loop.{name}", wrapper, required=False, inherited=True)
    for name, wrapper in (
        ("create_connection", _to_host(1)),
        ("getaddrinfo", _to_host(0)),
        ("getnameinfo", _to_address(0, "sockaddr")),
        ("create_datagram_endpoint", _to_address(2, "remote_addr")),
        ("sock_connect", _to_address(1, "address")),
        ("sock_sendto", _to_address(2, "address")),
    )
)
