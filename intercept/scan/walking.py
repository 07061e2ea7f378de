"""Which files a scan looks at: those that are named, and all in folders that are, but what tools put there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache"}
)  # fmt: skip
"""Folders that are passed over; one that is named itself is not."""


@dataclass(frozen=True)
class Walked:
    """A file to look at, or (`why`) what stands in the way."""

    path: Path
    why: str = ""


def walk(paths: Iterable[Path]) -> Iterator[Walked]:
    """Give the files, each once and in the order of their names. Links inside of a folder are not followed."""
    seen: set[tuple[int, int]] = set()
    for path in paths:
        for walked in _below(path) if path.is_dir() else (_named(path),):
            if not walked.why:
                try:
                    found = walked.path.stat()
                except OSError as error:
                    yield Walked(walked.path, error.strerror or "cannot be read")
                    continue
                if (found.st_dev, found.st_ino) in seen and found.st_ino:
                    continue
                seen.add((found.st_dev, found.st_ino))
            yield walked


def _named(path: Path) -> Walked:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        return Walked(path, getattr(error, "strerror", None) or "this is no path")
    return Walked(path) if stat.S_ISREG(mode) else Walked(path, "neither a file nor a folder")


def _below(folder: Path) -> Iterator[Walked]:
    failed: list[OSError] = []
    for top, folders, names in os.walk(folder, onerror=failed.append):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            path = Path(top, name)
            try:
                mode = path.lstat().st_mode
            except OSError as error:
                yield Walked(path, error.strerror or "cannot be read")
                continue
            if stat.S_ISREG(mode):
                yield Walked(path)
    for failure in failed:
        yield Walked(Path(os.fsdecode(failure.filename)), failure.strerror or "cannot be read")
