"""Adding files to a cassette that is a folder."""

from __future__ import annotations

import os
from errno import ENOENT
from typing import TYPE_CHECKING

from intercept.cassette import files
from intercept.cassette.folders import filed, names, ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from intercept.cassette.folders import FolderLayout
    from intercept.cassette.format import Origin, Piece
    from intercept.cassette.index import Key
    from intercept.cassette.recorder import Claim


class RowFiles:
    """Implements `intercept.cassette.extending.Target`: a new file for each row, there whole or not at all."""

    def __init__(self, layout: FolderLayout, origin: Origin) -> None:
        self._layout = layout
        self._origin = origin
        self._made = False
        self._names: dict[Key, Iterator[str]] = {}
        self._written: list[str] = []
        self._ranks: dict[str, int] | None = None

    def add(self, claim: Claim, row: Sequence[Piece]) -> None:
        """See `intercept.cassette.extending.Target`."""
        key = claim.key
        new = f".{key[1]}.{os.getpid()}.new"
        with self._layout.folder(make=not self._made) as folder:
            self._made = True
            folder.remove(new)
            file = folder.create(new)
            try:
                files.append(file, [filed(key, row, self._origin)])
                for name in self._free(key):
                    try:
                        folder.name_anew(new, name)
                    except FileExistsError:
                        continue
                    self._written.append(name)
                    break
            finally:
                os.close(file)
                folder.remove(new)

    def settle(self) -> None:
        """See `intercept.cassette.extending.Target`: nothing must be missing of what was added."""
        if not self._written:
            return
        with self._layout.folder() as folder:
            for name in self._written:
                if folder.stat(name) is None:
                    raise FileNotFoundError(ENOENT, os.strerror(ENOENT), name)

    def _free(self, key: Key) -> Iterator[str]:
        """Give the names behind all that a request has; where its rows have no numbers they tell the order."""
        if self._ranks is None:
            self._ranks = ranks(path.name for path in self._layout.path.iterdir())
        if key not in self._names:
            self._names[key] = names(key, self._ranks.get(key[1], 0))
        return self._names[key]

    def close(self) -> None:
        """See `intercept.cassette.extending.Target`."""
