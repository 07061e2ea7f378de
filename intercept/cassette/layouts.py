"""Which layout a cassette has: one file, or a folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Protocol

from intercept.cassette.folders import FolderLayout
from intercept.cassette.lines import LineLayout
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from intercept.cassette.arranging import Arranged, CapsOf
    from intercept.cassette.files import Folder
    from intercept.cassette.format import Origin
    from intercept.cassette.identities import Identities
    from intercept.cassette.index import Cassette
    from intercept.paths import Location


_LONGEST_NAME: Final = 255
"""Bytes, on every common file system."""
_HIGHEST_PROCESS: Final = 2**22


class Layout(Protocol):
    """How the rows of a cassette lie on the disk."""

    @property
    def path(self) -> Path:
        """The cassette."""
        ...

    @property
    def within(self) -> Path | None:
        """The folder out of which no link may lead."""
        ...

    @property
    def partial(self) -> Path:
        """Where rows wait that are to take their place in it."""
        ...

    @property
    def name(self) -> str:
        """The cassette's name in the folder of its partial file; empty if it is that folder."""
        ...

    @property
    def failed(self) -> Path:
        """Where rows wait that an earlier recording left behind."""
        ...

    def left(self) -> Iterable[Path]:
        """Name what recordings may have left behind, the latest first."""
        ...

    def folder(self, *, make: bool = False) -> Folder:
        """Open the folder of the partial file."""
        ...

    def read(self) -> Cassette:
        """Open the cassette; raise `CassetteError` for whatever is wrong with it."""
        ...

    def existing(self) -> Cassette | None:
        """Open the cassette if there is one; None also for a file with nothing in it."""
        ...

    def put(self, rows: Sequence[Arranged], origin: Origin, old: Cassette | None, caps: CapsOf) -> None:
        """Write the cassette of these rows; `old` is the one they are partly of, or None to begin anew."""
        ...


def layout_of(location: Location, identities: Identities | None = None) -> Layout:
    """Return the layout of the cassette at a place."""
    if location.folder:
        return FolderLayout(location.path, identities)
    return LineLayout(location.path, location.within, identities)


def writable(layout: Layout) -> Cassette | None:
    """Open what is there before something is written: never over a file that is no cassette of ours."""
    *folders, partial = layout.partial.parts
    for name in (*folders, f"{partial}.{_HIGHEST_PROCESS}"):  # some files beside it are named after their process
        if len(os.fsencode(name)) > _LONGEST_NAME:
            raise CassetteError(str(layout.path), f"a name like that of {name:.40}... is too long for a file")
    try:
        return layout.existing()
    except CassetteError as error:
        reason = f"{error.reason}; a recording does not overwrite it: give it another file, or delete this one"
        raise CassetteError(error.where, reason) from None


def own(partial: Path) -> Path:
    """Name a partial file for this process alone, beside one that another process of the run writes."""
    before, word, suffix = partial.name.rpartition("partial")
    return partial.with_name(f"{before}{os.getpid()}.{word}{suffix}")
