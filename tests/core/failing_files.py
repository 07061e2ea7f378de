"""Files that fail in ways no disk does on demand: each call does its real work, or a part of it, before it fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest


class Faults:
    """The files of this process; whatever is made to fail does so as often as was said, and is counted."""

    def __init__(self, patches: pytest.MonkeyPatch) -> None:
        self.met = 0
        self._patches = patches

    def write(
        self, word: bytes, *, place: str = "", error: int = errno.ENOSPC, taken: int = 50, times: int = 1
    ) -> None:
        """Fail at a write that holds this word, once a part of it is on the disk; to a file whose name ends so."""
        write = os.writev

        def failing(file: int, pieces: Sequence[Any], /) -> int:
            content = b"".join(pieces)
            if self.met >= times or word not in content or (place and not _name(file).endswith(place)):
                return write(file, pieces)
            self.met += 1
            write(file, [content[:taken]])
            raise OSError(error, os.strerror(error))

        self._patches.setattr(os, "writev", failing)

    def shorten(self, most: int) -> None:
        """Take no more than so many bytes by one write."""
        write = os.write

        def short(file: int, content: Any, /) -> int:
            self.met += len(content) > most
            return write(file, content[:most])

        def together(file: int, pieces: Sequence[Any], /) -> int:
            return short(file, b"".join(pieces))

        self._patches.setattr(os, "write", short)
        self._patches.setattr(os, "writev", together)

    def sync(self, nth: int, *, error: int = errno.EIO) -> None:
        """Fail at this one of all syncs, the first being 1."""
        sync, seen = os.fsync, [0]

        def failing(file: int, /) -> None:
            sync(file)
            seen[0] += 1
            if seen[0] == nth:
                self.met += 1
                raise OSError(error, os.strerror(error))

        self._patches.setattr(os, "fsync", failing)

    def replace(self, *, error: int = errno.EIO) -> None:
        """Refuse every new name in the place of an old one, in folders that are held open."""
        replace = os.replace

        def failing(old: Any, new: Any, **folders: Any) -> None:
            if not folders:
                replace(old, new)
                return
            self.met += 1
            raise OSError(error, os.strerror(error), str(old), None, str(new))

        self._patches.setattr(os, "replace", failing)

    def end(self) -> None:
        """Let everything work again."""
        self._patches.undo()


def _name(file: int) -> str:
    """Return the path of an open file."""
    link = Path(f"/proc/self/fd/{file}")
    if not link.exists():
        pytest.skip("this system does not tell what an open file is called")
    return str(link.readlink())
