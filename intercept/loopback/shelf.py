"""What the provider keeps between requests: uploaded files, and objects of every other kind in drawers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from intercept.loopback.jsontypes import JSONObject

Step = Callable[[], JSONObject]


@dataclass(frozen=True, slots=True)
class Stored:
    """One uploaded file: its bytes, and what the API says of it."""

    about: JSONObject
    data: bytes


@dataclass(frozen=True, slots=True)
class Shelf:
    """Kept objects by id, oldest first; each provider has its own files.

    ``ahead``: what is still to happen to an object, in order; each step gives the fields that change.
    """

    openai_files: dict[str, Stored] = field(default_factory=dict[str, Stored])
    anthropic_files: dict[str, Stored] = field(default_factory=dict[str, Stored])
    responses: dict[str, JSONObject] = field(default_factory=dict[str, JSONObject])
    drawers: dict[str, dict[str, JSONObject]] = field(default_factory=dict[str, dict[str, JSONObject]])
    ahead: dict[int, list[Step]] = field(default_factory=dict[int, list[Step]])

    def drawer(self, label: str) -> dict[str, JSONObject]:
        """Return the objects of one kind, by id."""
        return self.drawers.setdefault(label, {})
