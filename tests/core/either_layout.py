"""A cassette in either layout, a file or a folder of rows, looked at in one way. Its place is a text."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from tests.conformance.callers import Caller
from tests.core.recording import SYNC, asking


def play(named: str | Path, mode: str, url: str, *texts: str, caller: Caller = SYNC, **settings: Any) -> list[str]:
    """Ask these questions in a session of this mode; return the answers."""
    with intercept.use_cassette(named, mode=mode, **settings):
        said: list[str] = caller.run(asking(*texts), caller.client(url))
    return said


def quietly(named: str | Path, mode: str, url: str, *texts: str) -> list[str]:
    """Do the same without a word of what is odd about the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        return play(named, mode, url, *texts)


def texts_of(named: str | Path) -> list[bytes]:
    """Return the text of each row: a line, or a file."""
    path = Path(named)
    if path.is_dir():
        return [file.read_bytes() for file in sorted(path.glob("[!.]*"))]
    return path.read_bytes().splitlines(keepends=True)[1:]


def rows_of(named: str | Path) -> list[dict[str, Any]]:
    """Return the rows: in the order of a file, or sorted by the names in a folder."""
    return [json.loads(text) for text in texts_of(named)]


def asked(row: dict[str, Any]) -> str:
    """Return the question of a row."""
    return str(row["request"]["body"]["messages"][0]["content"])


def answered(row: dict[str, Any]) -> str:
    """Return the answer of a row of either SDK."""
    body = row["events"][0]["json"]
    return str(body["choices"][0]["message"]["content"] if "choices" in body else body["content"][0]["text"])


def exchanges(named: str | Path) -> list[tuple[str, int, str]]:
    """Return question, number and answer of each row: in the order of a file; sorted where there is a folder."""
    found = [(asked(row), int(row["occurrence"]), answered(row)) for row in rows_of(named)]
    return sorted(found) if Path(named).is_dir() else found


def everything(named: str | Path) -> dict[str, bytes]:
    """Return all files in the folder of a cassette, and below it."""
    folder = Path(named).parent
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def partial_of(named: str | Path) -> Path:
    """Where the rows of a recording lie until it ends."""
    return _beside(named, "partial")


def failed_of(named: str | Path) -> Path:
    """Where the rows of a recording that failed are kept when the next one begins."""
    return _beside(named, "failed")


def _beside(named: str | Path, word: str) -> Path:
    path = Path(named)
    return path.with_name(f"{path.stem}.{word}.jsonl") if path.suffix else path / f".{word}.jsonl"


def fail(named: str | Path, mode: str, url: str) -> None:
    """Ask once, then fail; what is said of it is let pass."""

    def failing() -> None:
        with intercept.use_cassette(named, mode=mode):
            SYNC.run(asking("a"), SYNC.client(url))
            raise ValueError("no")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            failing()
