"""What the provider keeps between requests: uploaded files and stored responses."""

from __future__ import annotations

from dataclasses import dataclass, field

from intercept.loopback.jsontypes import JSONObject


@dataclass(frozen=True, slots=True)
class Stored:
    """One uploaded file: its bytes, and what the API says of it."""

    about: JSONObject
    data: bytes


@dataclass(frozen=True, slots=True)
class Shelf:
    """Kept objects by id, oldest first; each provider has its own files."""

    openai_files: dict[str, Stored] = field(default_factory=dict[str, Stored])
    anthropic_files: dict[str, Stored] = field(default_factory=dict[str, Stored])
    responses: dict[str, JSONObject] = field(default_factory=dict[str, JSONObject])
