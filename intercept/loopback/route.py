"""One endpoint of an API: its method, its path, what its body must hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask


class Refused(Exception):
    """A request the provider turns down; without a message it sends the usual one of that status."""

    def __init__(self, status: int, message: str | None = None, *, param: str | None = None) -> None:
        """Take what the error body will say; ``param`` is a field the body lacks."""
        super().__init__(message)
        self.status = status
        self.message = message
        self.param = param


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint; ``{name}`` in the path stands for an identifier, ``{rest}`` for one that may hold slashes."""

    method: str
    path: str
    endpoint: Callable[[Ask], Answer]
    needs: tuple[str, ...] = ()

    def match(self, method: str, path: str) -> tuple[str, ...] | None:
        """Return the identifiers in the path, in order, or None when this is another endpoint's request."""
        found = _pattern(self.path).fullmatch(path) if method == self.method else None
        return None if found is None else found.groups()

    def check(self, ask: Ask) -> None:
        """Refuse a body that lacks what this endpoint needs."""
        for field in self.needs:
            if not (ask.body.get(field) or (field == "model" and ask.name)):
                raise Refused(400, None, param=field)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(path).replace(r"\{name\}", "([^/]+)").replace(r"\{rest\}", "(.+)"))
