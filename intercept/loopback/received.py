"""One request as it came off the wire."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came off the wire; header names are lower-case, duplicates kept, in order."""

    method: str
    path: str  # percent-decoded, without the query
    query: str  # raw, without "?"
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON; raises ``ValueError`` when it is not."""
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        """Return the first value of a header, or None."""
        return next((value for key, value in self.headers if key == name.lower()), None)

    @property
    def key(self) -> str | None:
        """The API key it carries: ``Authorization: Bearer``, ``x-api-key`` or ``api-key``."""
        scheme, _, token = (self.header("authorization") or "").partition(" ")
        if scheme.lower() == "bearer" and token:
            return token
        return self.header("x-api-key") or self.header("api-key")

    @property
    def to_anthropic(self) -> bool:
        """Whether Anthropic's API is addressed; some paths (models, files) exist on both."""
        return self.header("anthropic-version") is not None or self.path.startswith("/v1/messages")
