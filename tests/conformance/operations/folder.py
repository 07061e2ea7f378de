"""A folder that lasts for one scenario: for what the SDK is to read, and what it writes."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True)
class Folder:
    """A folder on disk."""

    path: Path

    def holding(self, name: str, data: bytes) -> Path:
        """Make a file; return where it is."""
        self.path.joinpath(name).write_bytes(data)
        return self.path / name

    @contextmanager
    def opened(self, name: str) -> Generator[BinaryIO, None, None]:
        """Open a file to read."""
        with self.path.joinpath(name).open("rb") as file:
            yield file

    def read(self, name: str) -> bytes:
        """Return what a file holds."""
        return self.path.joinpath(name).read_bytes()


@contextmanager
def folder() -> Generator[Folder, None, None]:
    """Make a folder, and take it away again."""
    with tempfile.TemporaryDirectory() as path:
        yield Folder(Path(path))
