"""Redacting to see what would be redacted: what a recording would hide is what a scan finds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from intercept.redaction import names
from intercept.redaction.finding import FIELD, IDENTITY
from intercept.redaction.redactor import HEADER, PARAMETER, Redaction
from intercept.scan.stand_ins import SHORTEST, is_stand_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.redaction.finding import Finder
    from intercept.spi import JSON

_BY_NAME: Final = frozenset(
    {FIELD, HEADER, PARAMETER, IDENTITY, "cookie", "assignment", "bearer-token", "basic-auth", "url-userinfo"}
)
"""Kinds that are told by what stands before them, so that anything may stand there."""
_REMEMBERED: Final = 512
_TOGETHER: Final = 256
_APART: Final = "\n\n"
_is_header: Final = lru_cache(1024)(names.is_header)
_is_identity_header: Final = lru_cache(1024)(names.is_identity_header)
_is_field: Final = lru_cache(1024)(names.is_field)
_is_identity: Final = lru_cache(1024)(names.is_identity)


@dataclass(frozen=True)
class Note:
    """A secret that was met: its kind, what it is, and the text it stands in."""

    label: str
    value: str
    around: str
    start: int
    stop: int
    part: str


class Noting(Redaction):
    """Redacts, and takes note of what.

    `start` and `stop` tell where in the file the text under way stands; `part` tells that in words.
    """

    def __init__(self, finder: Finder) -> None:
        super().__init__(finder)
        self.notes: list[Note] = []
        self.start = 0
        self.stop = 0
        self.part = ""
        self._around = ""
        self._clean: set[str] = set()

    def placeholder(self, label: str, value: str) -> str:
        """Take note of a secret; see `Redaction.placeholder`."""
        by_name = label in _BY_NAME and not value.isspace()
        if not (by_name and (len(value) < SHORTEST or is_stand_in(value))):
            self.notes.append(Note(label, value, self._around or value, self.start, self.stop, self.part))
        return super().placeholder(label, value)

    def text(self, text: str) -> str:
        """See `Redaction.text`; most texts are free of secrets, and short ones come again and again."""
        if len(text) < SHORTEST or text in self._clean:
            return text
        if not self.finder.suspects(text):
            if len(text) < _REMEMBERED:
                self._clean.add(text)
            return text
        self._around = text
        try:
            return super().text(text)
        finally:
            self._around = ""

    def clear(self, texts: Sequence[str]) -> None:
        """Look at many short texts together, and remember those that are free of secrets; most are."""
        short = {text for text in texts if SHORTEST <= len(text) < _REMEMBERED} - self._clean
        self._clear(list(short))

    def _clear(self, texts: list[str]) -> None:
        for start in range(0, len(texts), _TOGETHER):
            batch = texts[start : start + _TOGETHER]
            if not self.finder.suspects(_APART.join(batch)):
                self._clean.update(batch)
            elif len(batch) > 1:
                self._clear(batch[: len(batch) // 2])
                self._clear(batch[len(batch) // 2 :])

    def header(self, name: str, value: str) -> str:
        """See `Redaction.header`; the address in `Location` is a text as any."""
        if not (_is_header(name) or _is_identity_header(name)) or name.lower() == "location":
            return self.text(value)
        return value if len(value) < SHORTEST or is_stand_in(value) else super().header(name, value)

    def named(self, label: str, name: str, value: JSON) -> None:
        """Look at a value that has a name: a header, a query parameter, a cookie, or a field."""
        if isinstance(value, list):
            for item in value:
                self.named(label, name, item)
        elif not isinstance(value, str):
            self.json(value)
        elif label == HEADER:
            self.header(name, value)
        elif label == "cookie" or (label == PARAMETER and names.is_parameter(name)) or self._tells(label, name):
            self._hidden(label, value)
        else:
            self.text(value)

    def _tells(self, label: str, name: str) -> bool:
        return label == FIELD and _is_field(name)

    def identity(self, name: str, value: JSON) -> bool:
        """Look at the value of a field that tells who asked, if it is one."""
        if isinstance(value, str) and _is_identity(name):
            self._hidden(IDENTITY, value)
            return True
        return False
