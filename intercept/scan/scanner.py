"""Scanning one file, as what it is: our rows, YAML, JSON, or plain text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from intercept import adapters
from intercept.redaction.finding import Finder
from intercept.redaction.names import Environment
from intercept.scan import marked
from intercept.scan.bodies import Bodies, chunks, decoded, unpacked
from intercept.scan.exchanges import Exchanges
from intercept.scan.findings import Finding
from intercept.scan.noting import Noting
from intercept.scan.places import Places
from intercept.scan.rows import Rows, is_row
from intercept.scan.streams import Joining

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST: Final = 128 * 1024 * 1024
"""Bytes of the largest file that is read."""
_YAML: Final = (".yaml", ".yml")
_JSON_LINES: Final = (".jsonl", ".ndjson")


class Scanner:
    """Scans files for secrets, for the credentials in the environment too."""

    def __init__(self, literals: Iterable[str] | None = None) -> None:
        known = adapters.installed()
        self._finder = Finder(Environment().credentials() if literals is None else literals)
        self._joining = Joining(known.values())
        self._bodies = Bodies(self._joining)
        self._rows = Rows(known, self._bodies, self._joining)

    def scan(self, path: Path) -> tuple[list[Finding], int]:
        """Return what is found in a file, and the file's size.

        Raises `OSError` for what cannot be read, and `ValueError` in words for a file that is too large.
        """
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"larger than {LARGEST >> 20} MiB")
        return self.found(path, content), len(content)

    def found(self, path: Path, content: bytes) -> list[Finding]:
        """Return what is found in the content of a file, from top to bottom."""
        text = decoded(unpacked(content))
        noting = Noting(self._finder)
        name = path.with_suffix("").name if path.suffix == ".gz" else path.name
        self._look(Path(name).suffix.lower(), text, noting)
        places = Places(text)
        found: dict[tuple[int, int, str], Finding] = {}
        for note in noting.notes:
            line, column = places.of(note)
            found.setdefault((line, column, note.label), Finding(path, line, column, note.label, note.part))
        return sorted(found.values())

    def _look(self, suffix: str, text: str, noting: Noting) -> None:
        if suffix in _YAML or text.startswith(("interactions:", "---\n", "http_interactions:")):
            done = self._yaml(text, noting)
        elif text.lstrip(" \t\r\n\ufeff")[:1] in ("{", "["):
            done = self._lines(text, noting) if suffix in _JSON_LINES else self._json(text, noting)
            done = done or (suffix not in _JSON_LINES and self._lines(text, noting))
        else:
            done = False
        if not done:
            self._plain(text, noting)

    def _plain(self, text: str, noting: Noting) -> None:
        for start, chunk in chunks(text):
            noting.start, noting.stop = start, start + len(chunk)
            noting.text(chunk)
        noting.start, noting.stop = 0, len(text)
        self._bodies.joined(text, noting)

    def _yaml(self, text: str, noting: Noting) -> bool:
        try:
            documents, places = marked.documents(text)
        except marked.NotYaml:
            return False
        walking = Exchanges(self._bodies, self._joining, noting)
        for document in documents:
            walking.document(document)
        noting.part = ""
        for start, gap in marked.between(text, places):
            noting.start, noting.stop = start, start + len(gap)
            noting.text(gap)
        return not walking.too_deep

    def _json(self, text: str, noting: Noting) -> bool:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return False
        noting.start, noting.stop = 0, len(text)
        if is_row(value):
            noting.part = "row"
            self._rows.look(value, text, noting)
            return True
        walking = Exchanges(self._bodies, self._joining, noting)
        walking.document(value)
        return not walking.too_deep

    def _lines(self, text: str, noting: Noting) -> bool:
        """Look at JSON lines; those that are none are texts. `False` where no line is JSON."""
        walking = Exchanges(self._bodies, self._joining, noting)
        events: list[dict[str, Any]] = []
        start = row = 0
        for line in text.split("\n"):
            noting.start, noting.stop, noting.part = start, start + len(line), ""
            start += len(line) + 1
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                noting.text(line)
                continue
            if is_row(value):
                row += 1
                noting.part = f"row {row}"
                self._rows.look(value, line, noting)
                continue
            walking.walk(value)
            if isinstance(value, dict):
                events.append(cast("dict[str, Any]", value))
        noting.start, noting.stop, noting.part = 0, len(text), ""
        if len(events) > 1:
            self._joining.look(events, noting)
        return bool(row or events) and not walking.too_deep
