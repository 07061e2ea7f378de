"""What an adapter tells the shared machinery about its provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Provider:
    """The facts in which one generated SDK differs from another.

    `providers` maps names of client classes to provider names, `identity_headers` are those whose value changes what
    is asked (lower case), `credentials` the client attributes that hold a secret.
    """

    adapter: str
    sdk: str
    providers: Mapping[str, str]
    identity_headers: frozenset[str]
    credentials: tuple[str, ...]

    def provider_of(self, client: Any) -> str:
        """Name the provider by the client's class or the nearest of its bases."""
        for cls in type(client).__mro__:
            if cls.__name__ in self.providers and cls.__module__.partition(".")[0] == self.sdk:
                return self.providers[cls.__name__]
        return self.adapter
