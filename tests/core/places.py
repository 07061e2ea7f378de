"""A cassette in either layout, a file or a folder: where it is, what is in it, and what lies beside it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import intercept
from tests.conformance.callers import CALLERS, Scenario, ask, each, said
from tests.core.handmade import line, row
from tests.core.recording import OLD, SYNC, UPDATE

every_layout = pytest.mark.parametrize("layout", ["file", "folder"])
every_mode = pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
every_mode_alone = pytest.mark.parametrize("mode", ["record", UPDATE])


def _ways() -> Iterator[Any]:
    kept = [(mode, layout) for mode in ("record", "update", "extend") for layout in ("file", "folder")]
    for caller in CALLERS:
        for streamed in (False, True):
            yield from ((caller, *kept[number], streamed) for number in (0, 5))
    yield from ((CALLERS[0], *way, False) for way in kept[1:5])


every_way_and_some = pytest.mark.parametrize(
    ("caller", "mode", "layout", "streamed"),
    [
        pytest.param(*way, marks=[pytest.mark.slow] * (way[1] == "update" or (way[0] is not CALLERS[0] and way[3])))
        for way in _ways()
    ],
    ids=str,
)
"""Each way of asking, recorded in two ways, and each other way of recording."""


@dataclass(frozen=True)
class Place:
    """Where a cassette lies; as a path it tells its layout, too."""

    path: Path
    is_folder: bool

    def __fspath__(self) -> str:
        return f"{self.path}/" if self.is_folder else str(self.path)

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return self.path if self.is_folder else self.path.parent

    @property
    def partial(self) -> Path:
        """Where the rows of a recording lie until it ends."""
        return self.folder / (".partial.jsonl" if self.is_folder else f"{self.path.stem}.partial.jsonl")

    def fill(self) -> dict[str, bytes]:
        """Put a cassette here, of three rows that nobody asks for; return its files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        head = {"v": 1, "hash_version": 1, "sdks": {"openai": "3.57.0"}, "redaction": "x"}
        texts = {"0" * 64: row(), f"{'0' * 64}.2": row(occurrence=1), "1" * 64: row(request_hash="1" * 64)}
        files = {f"{name}.json": line({**head, **json.loads(text)}) for name, text in texts.items()}
        for name, content in (files if self.is_folder else {self.path.name: OLD}).items():
            (self.folder / name).write_bytes(content)
        return self.files()

    def files(self) -> dict[str, bytes]:
        """Return every file of the cassette and beside it, by its name."""
        return {found.name: found.read_bytes() for found in self.folder.iterdir()} if self.folder.exists() else {}

    def new_files(self, *texts: str) -> set[str]:
        """Return the names of the files in which a question stands."""
        return {
            name
            for name, content in self.files().items()
            if any(json.dumps(text).encode() in content for text in texts)
        }

    def questions(self) -> list[str]:
        """Return what was asked in its rows, but for those it was filled with; in a folder, sorted."""
        if not self.is_folder:
            return asked_in(self.path)
        texts = [_question(json.loads(content)) for name, content in self.files().items() if name[0] != "."]
        return sorted(text for text in texts if text is not None)


def place_in(folder: Path, layout: str) -> Place:
    """Return where a cassette of this layout may be made."""
    is_folder = layout == "folder"
    return Place(folder / "cassettes" / ("test" if is_folder else "test.jsonl"), is_folder)


def asked_in(path: Path) -> list[str]:
    """Return what was asked in each row of a file, but for handmade ones; every line must be whole."""
    _, *rows = path.read_bytes().splitlines(keepends=True)
    assert all(row.endswith(b"\n") for row in rows)
    return [text for text in (_question(json.loads(row)) for row in rows) if text is not None]


def _question(row: dict[str, Any]) -> str | None:
    body: Any = row["request"]["body"]
    return body["messages"][0]["content"] if "messages" in body else None


def asking(*texts: str, streamed: bool = False) -> Scenario:
    """Return a scenario that asks these questions, one after another, and gives the answers as they were heard."""

    async def asked(client: Any) -> list[str]:
        return [
            _heard(await each(await ask(client, text, stream=True))) if streamed else said(await ask(client, text))
            for text in texts
        ]

    return asked


def _heard(events: Sequence[Any]) -> str:
    """Return the text of a stream of either SDK."""
    deltas = [
        event.choices[0].delta if hasattr(event, "choices") else getattr(event, "delta", None) for event in events
    ]
    return "".join(getattr(delta, "content", None) or getattr(delta, "text", None) or "" for delta in deltas)


def record_again(place: Place, url: str) -> None:
    """Record as if nothing had happened before; it works, and nothing but the cassette and what was left stays."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(?s).*did not end well", intercept.InterceptWarning)
        with intercept.use_cassette(place, mode="record"):
            SYNC.run(asking("last", "next"), SYNC.client(url))

    assert place.questions() == ["last", "next"]
    assert not [name for name in place.files() if name.endswith(".new") or "partial" in name]
