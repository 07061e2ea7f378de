"""Hiding secrets in the parts of one exchange: all that is stored or hashed of it has been here."""

from __future__ import annotations

import base64
import binascii
import gzip
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from intercept.redaction import names
from intercept.redaction.finding import FIELD, IDENTITY, Finder
from intercept.redaction.placeholders import PLACEHOLDER, Placeholders, identity
from intercept.redaction.positions import ANY, NOWHERE, Node
from intercept.redaction.rules import IDENTITIES
from intercept.redaction.views import unpacked

if TYPE_CHECKING:
    from intercept.redaction.finding import Hit
    from intercept.spi import JSON, Call

HEADER: Final = "header"
"""The label of the value of a header that is named for secrets."""
COOKIE: Final = "cookie"
PARAMETER: Final = "url-parameter"

_SHORTEST_NAMED: Final = 8
_SAID: Final = ("text", "value")
"""Where something that has a `name` holds what it is."""
_TELL_WHO: Final = frozenset({IDENTITY, *(rule.label for rule in IDENTITIES)})


class Redaction:
    """Redacts one exchange: the request first, then its answer, whose placeholders go on from those of the request."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._placeholders = Placeholders()

    def reserve(self, text: str) -> None:
        """Take note of placeholders that are there already."""
        self._placeholders.reserve(text)

    def placeholder(self, label: str, value: str) -> str:
        """Return what stands in the place of a secret."""
        return identity(label, value) if label in _TELL_WHO else self._placeholders.of(label, value)

    def text(self, text: str) -> str:
        """Redact one text."""
        return self._replaced(text, self.finder.hits(text))

    def shown(self, hit: Hit) -> str:
        """Return what is written in the place of a hit."""
        placeholder = self.placeholder(hit.label, hit.value)
        return f'"{placeholder}"' if hit.quoted else placeholder

    def _replaced(self, text: str, hits: Iterable[Hit]) -> str:
        parts: list[str] = []
        end = 0
        for hit in hits:
            parts += (text[end : hit.start], self.shown(hit))
            end = hit.stop
        return "".join((*parts, text[end:])) if parts else text

    def json(self, value: JSON, untouched: Node = NOWHERE) -> JSON:
        """Redact every string of a JSON value, names of fields included; what `untouched` names stays as it is.

        Numbers are given in the canonical order of the fields.
        """
        if isinstance(value, str):
            return self._blob(value) if untouched.end else self.text(value)
        if isinstance(value, list):
            return [self.json(item, untouched.below(ANY, item)) for item in value]
        if isinstance(value, dict):
            called = value.get("name")
            if isinstance(called, str) and names.is_field(called):  # a part of a form, or a variable in a list
                value = {
                    name: self._hidden(FIELD, item) if name in _SAID and isinstance(item, str) else item
                    for name, item in value.items()
                }
            inside = {
                name: self._field(name, value[name], untouched.below(name, value[name])) for name in sorted(value)
            }
            return {self.text(name): inside[name] for name in value}
        return value

    def _blob(self, text: str) -> str:
        """Leave what only its provider can read; a URL in its place is none."""
        if text.startswith(("http://", "https://")):
            return self.text(text)
        return self._replaced(text, self.finder.known(text))

    def _field(self, name: str, value: JSON, untouched: Node) -> JSON:
        if untouched.end:
            return self.json(value, untouched)
        if names.is_field(name):
            return self._hidden(FIELD, value)
        if isinstance(value, str) and names.is_identity(name):
            return self._hidden(IDENTITY, value)
        if isinstance(value, dict) and name.lower() == "headers":
            headers = [(self.text(each), item) for each, item in value.items()]
            return {
                each: self._hidden(HEADER, item) if names.is_header(PLACEHOLDER.sub("", each)) else self.json(item)
                for each, item in headers
            }
        return self.json(value, untouched)

    def _hidden(self, label: str, value: JSON) -> JSON:
        """Hide the value of a field; what is no single value, such as the schema of a field of this name, is walked."""
        if isinstance(value, str):
            if not value or PLACEHOLDER.fullmatch(value):
                return value
            return self.placeholder(self.finder.label(value, label), value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.placeholder(label, repr(value))
        if isinstance(value, list):
            return [self._hidden(label, item) for item in value]
        return self.json(value)

    def hide(self, label: str, value: JSON) -> str:
        """Hide a value of any kind."""
        return self.placeholder(label, value if isinstance(value, str) else repr(value))

    def bytes(self, content: bytes) -> bytes:
        """Redact what is no text; what gzip has packed is looked into."""
        packed = unpacked(content)
        if packed is not None:
            kept = self.text(packed)
            return content if kept == packed else gzip.compress(kept.encode("utf-8", "surrogatepass"), mtime=0)
        text = content.decode("latin-1")
        return self.text(text).encode("latin-1") if self.finder.suspects(text) else content

    def base64(self, text: str) -> str:
        """Redact bytes that are written in base64."""
        try:
            content = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return self.text(text)
        kept = self.bytes(content)
        return text if kept == content else base64.b64encode(kept).decode()

    def header(self, name: str, value: str) -> str:
        """Redact the value of a header."""
        if name.lower() == "location":
            return self._address(value)
        if names.is_identity_header(name):
            return str(self._hidden(IDENTITY, value))
        if name.lower() == "set-cookie" and "=" in value:
            named, _, rest = value.partition("=")
            secret, semicolon, attributes = rest.partition(";")
            return f"{named}={self._long(COOKIE, secret)}{semicolon}{self.text(attributes)}"
        return self._long(HEADER, value) if names.is_header(name) else self.text(value)

    def _long(self, label: str, value: str) -> str:
        """Hide what is named for a secret and long enough to be one: `x-auth-method: key` says nothing."""
        return str(self._hidden(label, value)) if len(value) >= _SHORTEST_NAMED else self.text(value)

    def _address(self, url: str) -> str:
        """Redact a URL that must be one afterwards: its user information is left out."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
        pairs = [(name, self._parameter(name, value)) for name, value in query]
        netloc = parts.netloc.rpartition("@")[2]
        if pairs != query or netloc != parts.netloc:
            parts = parts._replace(netloc=netloc, query=urlencode(pairs))
        if "=" in parts.fragment or self.finder.suspects(parts.fragment):
            parts = parts._replace(fragment="")  # a token, of some ways to log in; it is never sent
        suspicious = self.finder.suspects(f"{parts.netloc}{parts.path}")
        return self.text(urlunsplit(parts)) if suspicious else urlunsplit(parts)

    def _parameter(self, name: str, value: str) -> str:
        return str(self._hidden(PARAMETER, value)) if names.is_parameter(name) else self.text(value)

    def call(self, call: Call, untouched: Node) -> Call:
        """Redact all of a call."""
        path = self.text(call.path)
        return replace(
            call,
            operation=self.text(call.operation),
            path=path,
            query=tuple((self.text(name), self._parameter(name, value)) for name, value in call.query),
            headers=tuple((name, self.text(value)) for name, value in call.headers),
            body=self.json(call.body, untouched),
            model=None if call.model is None else self.text(call.model),
        )
