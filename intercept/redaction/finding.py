"""Finding secrets in one text, however they are written there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from intercept.redaction.names import SHORTEST, is_field, is_identity
from intercept.redaction.placeholders import PLACEHOLDER, STAND_IN
from intercept.redaction.rules import IDENTITIES, RULES, Rule
from intercept.redaction.views import BASE64, DEEPEST, decoded_base64, escaped, views, written_as

FIELD: Final = "field"
"""The label of what stands in a field that is named for secrets."""
LITERAL: Final = "credential"
"""The label of a known credential that has no shape of its own."""
IDENTITY: Final = "identity"
"""The label of what stands in a field that tells who asked."""

_LONG: Final = re.compile(r"[A-Za-z0-9_~.+/=%-]{12,}")
"""What every rule needs that knows a token by its shape."""
_HINTS: Final = tuple(
    (word, re.compile(pattern))
    for word, pattern in (
        *(
            (word, rf"{word}[_\-. ]{{0,3}}\\*[\"']?\s{{0,3}}(?::|=)")
            for word in ("key", "secret", "token", "pwd", "jwt", "pat")
        ),
        *((word, word) for word in ("authorization", "cookie", "credential", "aws4-hmac", "x-amz-", "bearer")),
        *((word, rf"{word}[_-]?(?:id|uuid)") for word in ("organization", "workspace", "account")),
        (
            '"name"',
            (
                r"\"name\"\s{0,3}:\s{0,3}\"[^\"\\]{0,60}"
                r"(?:key|secret|token|pass|pwd|jwt|pat|auth|cookie|credential|string)"
            ),
        ),
        ("pass", r"pass(?:w|phrase)"),
        ("connection", r"connection_?string"),
        ("private", r"private key"),
        ("basic", r"basic(?:\s|\\)"),
        ("headers", r"headers\\*\"\s{0,3}:\s{0,3}\{"),
        ("@", r"://[^\s/?#\"'\\]{1,256}@"),
        ("=", r"sig(?:nature)?="),
        ("=", r"auth="),
        ("\\", r"\\u00[2-7]"),
        ("%", r"%[0-9a-f]{2}"),
    )
)
"""What else makes a text worth a closer look, in lower case: a word that is quickly missed, and its pattern."""
_FIELD_NAME: Final = re.compile(r'"([^"\\]{2,64})"\s{0,64}:\s{0,64}')
_VALUE: Final = re.compile(r'"((?:[^"\\]|\\.)*)|(-?\d[\d.eE+-]*)', re.DOTALL)
_SKIPPED: Final = re.compile(r"\s*(?:\[|$)")


class Hit(NamedTuple):
    """A secret in a text: where, of which kind, and what it is. What is hidden with `quoted` needs quotes around it."""

    start: int
    stop: int
    label: str
    value: str
    quoted: bool = False


class Finder:
    """Looks for secrets by rules, by the names of fields, and for known ones; `rules` go before the built-in ones."""

    def __init__(self, literals: Iterable[str] = (), rules: tuple[Rule, ...] = ()) -> None:
        known = {text for text in literals if len(text) >= SHORTEST and text != STAND_IN}
        self._literals = frozenset(known)
        self._own = rules
        self._rules = (*rules, *RULES, *IDENTITIES)
        forms = known | {form for text in known for form in written_as(text)}
        self._labels = {text: self.label(text, LITERAL) for text in known}
        self._pattern = _any_of(forms)
        self._escaped = tuple(sorted({form for text in forms for form in escaped(text)}))
        tokens = {word for rule in (*RULES, *IDENTITIES) if not rule.folded for word in rule.words}
        self._tokens = tuple(sorted(tokens - {"PRIVATE KEY"}))

    def with_more(self, literals: Iterable[str]) -> Finder:
        """Return one that knows these too; itself if it does already."""
        more = self._literals.union(text for text in literals if len(text) >= SHORTEST)
        return self if more == self._literals else Finder(more, self._own)

    def suspects(self, text: str) -> bool:
        """Whether a text, JSON included, may hold a secret; quick, and right where it says no."""
        if _holds_any(text, self._escaped):
            return True
        if any(not rule.words or any(word in text for word in rule.words) for rule in self._own):
            return True  # a pattern may ask for what JSON writes otherwise: a quote, the end of a text
        runs = _LONG.findall(text)
        if runs:
            together = " ".join(runs)
            if _holds_any(together, self._tokens):
                return True
            if any(decoded_base64(found) is not None for found in BASE64.findall(together)):
                return True
        low = text.lower()
        for word, rest in _HINTS:  # noqa: SIM110  as below
            if word in low and rest.search(low):
                return True
        return False

    def hits(self, text: str) -> list[Hit]:
        """Find every secret, from left to right; what overlaps is one, of the kind that comes first."""
        if len(text) < 6:  # noqa: PLR2004  nothing is that short
            return []
        found = list(self._found(text, 0))
        return _merged(text, found) if found else []

    def known(self, text: str) -> list[Hit]:
        """Find known credentials alone: where a blob of the provider's stands, nothing else is looked for."""
        return _merged(text, list(self._known(text)))

    def _known(self, text: str) -> Iterator[_Found]:
        if self._pattern is not None:
            for match in self._pattern.finditer(text):
                yield _Found(*match.span(), 2, self._labels.get(match[0], LITERAL), match[0])

    def label(self, value: str, otherwise: str) -> str:
        """Name the kind of a value that is a secret by where it stands."""
        return next((rule.label for rule in self._rules if any(True for _ in rule.matches(value))), otherwise)

    def _found(self, text: str, depth: int) -> Iterator[_Found]:
        low = text.lower()
        for rule in self._rules:
            if not rule.words or any(word in (low if rule.folded else text) for word in rule.words):
                for start, stop in rule.matches(text):
                    yield _Found(start, stop, 0, rule.label, text[start:stop])
        if '"' in text and ":" in text:
            yield from self._fields(text)
        yield from self._known(text)
        if depth < DEEPEST:
            for view in views(text):
                for hit in self._found(view.text, depth + 1):
                    start, stop = view.outer(hit.start, hit.stop)
                    yield hit._replace(start=start, stop=stop)

    def _fields(self, text: str) -> Iterator[_Found]:
        """Find the values of fields named for secrets, in JSON that is written in a text."""
        for name in _FIELD_NAME.finditer(text):
            label = FIELD if is_field(name[1]) else IDENTITY if is_identity(name[1]) else None
            # Only now: the value of another field may be JSON, where a view has taken the escapes away.
            value = _VALUE.match(text, name.end()) if label is not None else None
            if label is None or value is None:
                continue
            group = value.lastindex or 1
            if value[group] and not _SKIPPED.match(value[group]):
                found = value[group]
                yield _Found(*value.span(group), 1, self.label(found, label), found, quoted=group != 1)


class _Found(NamedTuple):
    start: int
    stop: int
    rank: int
    label: str
    value: str
    quoted: bool = False


def _merged(text: str, found: list[_Found]) -> list[Hit]:
    """Join what overlaps, the best rank giving the label; what is hidden already stays as it is."""
    if "[REDACTED" in text:
        taken = [match.span() for match in PLACEHOLDER.finditer(text)]
        ends = [stop for _, stop in taken]
        found = [hit for hit in found if not _meets(hit, taken, bisect_right(ends, hit.start))]
    hits: list[_Found] = []
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.stop)):
        last = hits[-1] if hits else None
        if last is None or hit.start >= last.stop:
            hits.append(hit)
            continue
        best = min(last, hit, key=lambda each: each.rank)
        stop = max(last.stop, hit.stop)
        value = best.value if (best.start, best.stop) == (last.start, stop) else text[last.start : stop]
        hits[-1] = _Found(last.start, stop, best.rank, best.label, value, last.quoted or hit.quoted)
    return [Hit(hit.start, hit.stop, hit.label, hit.value, hit.quoted) for hit in hits]


def _holds_any(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words is in a text. Most of what redaction takes of a call is spent on such loops."""
    for word in words:  # noqa: SIM110  a generator takes half as long again; a pattern, much longer
        if word in text:
            return True
    return False


def _any_of(texts: Iterable[str]) -> re.Pattern[str] | None:
    """Make a pattern that finds the longest of those that stand in one place."""
    ordered = sorted(texts, key=lambda text: (-len(text), text))
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None


def _meets(hit: _Found, spans: list[tuple[int, int]], first: int) -> bool:
    """Whether a hit lies over the first of the spans that end behind its start."""
    return first < len(spans) and spans[first][0] < hit.stop
