"""Keeping secrets off the disk: the literal credentials that this process and its clients hold.

Every match, however it came into a request or an answer, becomes `[REDACTED]` before anything is hashed or written: a
secret cannot be guessed from a hash, and a rotated one still matches.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from intercept.spi import REDACTED

if TYPE_CHECKING:
    from intercept.spi import JSON, Call

SHORTEST: Final = 16
"""A shorter value is too likely to be part of an ordinary text."""

RULES: Final = ("literal",)
FINGERPRINT: Final = hashlib.sha256(" ".join(RULES).encode()).hexdigest()[:12]
"""Names the rules a cassette was redacted by; its header holds it."""

_VARIABLES: Final = ("_API_KEY", "_TOKEN", "_SECRET")
_LEVELS: Final = 3
"""How often JSON may be text inside of JSON, as tool arguments are."""


def environment_secrets(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the values of all `*_API_KEY`, `*_TOKEN` and `*_SECRET` variables."""
    variables = os.environ if environment is None else environment
    return [variables[name] for name in variables if name.upper().endswith(_VARIABLES)]


def _forms(literal: str) -> set[str]:
    """Return how a secret may be written: as it is, and escaped as JSON text that stands inside of JSON text."""
    forms = newest = {literal}
    for _ in range(_LEVELS):
        newest = {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in newest for ascii_only in (False, True)}
        forms = forms | newest
    return forms


def _encoded(form: str) -> bytes:
    """Return the bytes of a secret. Python keeps bytes that are no UTF-8, and Windows' lone halves, as surrogates."""
    try:
        return form.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return form.encode("utf-8", "surrogatepass")


class Redactor:
    """Replaces every occurrence of its secrets; without one to find, values come back as they are."""

    def __init__(self, secrets: Iterable[str]) -> None:
        literals = {secret for secret in secrets if len(secret) >= SHORTEST}
        forms = sorted({form for literal in literals for form in _forms(literal)}, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(re.escape, forms))) if forms else None
        encoded = (re.escape(_encoded(form)) for form in forms)
        self._bytes = re.compile(b"|".join(encoded)) if forms else None

    def finds(self, content: bytes) -> bool:
        """Whether any secret occurs in UTF-8 text, JSON included."""
        return self._bytes is not None and self._bytes.search(content) is not None

    def bytes(self, content: bytes) -> bytes:
        """Redact raw bytes."""
        return content if self._bytes is None else self._bytes.sub(REDACTED.encode(), content)

    def text(self, text: str) -> str:
        """Redact one string."""
        return text if self._pattern is None else self._pattern.sub(REDACTED, text)

    def json(self, value: JSON) -> JSON:
        """Redact every string of a JSON value, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.json(item) for key, item in value.items()}
        return value

    def call(self, call: Call) -> Call:
        """Redact all of a call."""
        return replace(
            call,
            operation=self.text(call.operation),
            path=self.text(call.path),
            query=tuple((self.text(name), self.text(value)) for name, value in call.query),
            headers=tuple((name, self.text(value)) for name, value in call.headers),
            body=self.json(call.body),
            model=None if call.model is None else self.text(call.model),
        )
