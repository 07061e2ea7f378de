"""One request as an endpoint reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from intercept.loopback.mint import Mint

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject
    from intercept.loopback.received import Received
    from intercept.loopback.shelf import Shelf
    from intercept.loopback.upload import Upload


@dataclass(frozen=True, slots=True)
class Ask:
    """One request as an endpoint reads it: routed, its body parsed."""

    received: Received
    turn: int  # its place in the order of arrival, from 1
    shelf: Shelf
    body: JSONObject = field(default_factory=dict[str, Any])
    upload: Upload | None = None
    names: tuple[str, ...] = ()  # the identifiers in the path, outermost first
    azure: bool = False

    @property
    def mint(self) -> Mint:
        """Makes this request's identifiers."""
        return Mint(self.turn)

    @property
    def name(self) -> str:
        """The first identifier in the path: a model, a file, a thread; "" without one."""
        return self.names[0] if self.names else ""

    @property
    def model(self) -> str:
        """The model asked for; Azure may name it in the path only."""
        return str(self.body.get("model") or self.name)

    def option(self, name: str) -> str | None:
        """Return a query parameter, or None."""
        return parse_qs(self.received.query).get(name, [None])[0]
