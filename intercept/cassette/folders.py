"""A cassette that is a folder: a file for each row, `<key>.json`, `<key>.2.json`, ..., which git can merge."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from intercept.canonical import HASH_VERSION
from intercept.cassette import files
from intercept.cassette import format as form
from intercept.cassette.files import Folder
from intercept.cassette.index import Index, Place
from intercept.cassette.rows import Header, decode_head, decode_row
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from intercept.cassette.arranging import Arranged, CapsOf
    from intercept.cassette.format import Origin
    from intercept.cassette.identities import Identities
    from intercept.cassette.index import Cassette, Key

_NAME: Final = re.compile(r"([0-9a-f]{64})(?:\.([2-9]|[1-9][0-9]+))?\.json")


class Files:
    """The texts of the files of one folder."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path = path
        self.names = names
        self._found: dict[int, tuple[int, int, int]] = {}

    def text(self, place: Place) -> bytes:
        """See `intercept.cassette.index.Source`."""
        return self.content(place.number)

    def content(self, number: int) -> bytes:
        """Read one file; raise `CassetteError` if it cannot be read, is too long to be a row, or is another by now."""
        file = files.opened(self._path / self.names[number], None)
        try:
            found = os.fstat(file)
            size, identity = found.st_size, (found.st_ino, found.st_size, found.st_mtime_ns)
            if self._found.setdefault(number, identity) != identity:
                raise CassetteError(self.where(number), "it was changed since the cassette was opened")
            if size > form.LONGEST_ROW:
                raise CassetteError(self.where(number), f"a row may have {form.LONGEST_ROW} bytes, and this has {size}")
            return files.read_at(file, 0, size).removeprefix(BOM_UTF8)
        except OSError as error:
            raise CassetteError(self.where(number), f"it cannot be read: {files.reason_of(error)}") from error
        finally:
            os.close(file)

    def where(self, number: int) -> str:
        """See `intercept.cassette.index.Source`."""
        return str(self._path / self.names[number])

    def spot(self, number: int) -> str:
        """See `intercept.cassette.index.Source`."""
        return self.names[number]

    def close(self) -> None:
        """See `intercept.cassette.index.Source`."""


class FolderLayout:
    """A cassette that is a folder, to be read and written."""

    def __init__(self, path: Path, identities: Identities | None = None) -> None:
        """Know a cassette by the path of its folder."""
        self._identities = identities
        self.path = path
        self.within = None
        self.name = ""
        self.partial = path / ".partial.jsonl"
        self.failed = path / ".failed.jsonl"

    def left(self) -> Iterable[Path]:
        """See `intercept.cassette.layouts.Layout`."""
        return (self.partial, *sorted(self.path.glob(".*.partial.jsonl")), self.failed)

    def folder(self, *, make: bool = False) -> Folder:
        """Open the folder of the rows and of their partial file."""
        return Folder(self.path, make=make)

    def read(self) -> Cassette:
        """Open the cassette; raise `CassetteError` with `path: field: reason` for whatever is wrong with it."""
        try:
            found = [path.name for path in self.path.iterdir()]
        except OSError as error:
            raise CassetteError(str(self.path), f"it cannot be read: {files.reason_of(error)}") from error
        rows = [name for name in found if not name.startswith(".")]
        for name in rows:
            if not _NAME.fullmatch(name):
                raise CassetteError(
                    str(self.path / name), "no row has a file of this name; move it out of the cassette"
                )
        source = Files(self.path, sorted(rows, key=_order))
        index = Index(self.path, source, self._identities)
        header = Header(form.KIND, form.VERSION, HASH_VERSION)
        for number, name in enumerate(source.names):
            text, where = source.content(number), source.where(number)
            header = decode_head(where, text)
            row = decode_row(where, text)
            if row.request_hash != name[:64]:
                raise CassetteError(
                    where, f"request_hash: it is {row.request_hash[:12]}..., and the file is named otherwise"
                )
            index.add(row, header.redaction, number, 0, len(text))
        return index.cassette(header)

    def existing(self) -> Cassette | None:
        """Open the cassette if there is one."""
        return self.read() if os.path.lexists(self.path) else None

    def put(self, rows: Sequence[Arranged], origin: Origin, old: Cassette | None, caps: CapsOf) -> None:
        """Write the files of new rows, then remove those of old rows that are left out, and put the new in place.

        Each file is the old one or the new one, and each request loses its old files before it gets new ones, so that
        whatever interrupts it, the cassette can be read. While anything new may still fail to be written, it is as it
        was.
        """
        kept = {_named(row.cassette, row.place) for row in rows if not row.new}
        before = set[str]() if old is None else {_named(old, place) for _, place in old.in_order()}
        behind = ranks(kept)
        free = {row.key[1]: names(row.key, behind.get(row.key[1], 0)) for row in rows if row.new}
        gone = before - kept - {next(names(row.key, behind.get(row.key[1], 0))) for row in rows if row.new}
        drafts: dict[str, str] = {}
        with self.folder(make=True) as folder:
            try:
                for row in rows:
                    if row.new:
                        name = next(free[row.key[1]])
                        drafts[folder.draft(name, [filed(row.key, row.pieces(caps), origin)])] = name
            except BaseException:
                for draft in drafts:
                    folder.remove(draft)
                raise
            for name in gone:
                folder.remove(name)
            folder.put(drafts)


def filed(key: Key, row: Sequence[form.Piece], origin: Origin) -> bytes:
    """Write the file of a row; of the versions of SDKs it tells its own, so that it changes with that alone."""
    adapter, _ = key
    own = {adapter: origin.sdks[adapter]} if adapter in origin.sdks else origin.sdks
    return form.filed(row, replace(origin, sdks=own))


def names(key: Key, behind: int = 0) -> Iterator[str]:
    """Give the names that the rows of one request have, in order, behind so many."""
    return (f"{key[1]}.json" if rank == 1 else f"{key[1]}.{rank}.json" for rank in count(behind + 1))


def ranks(files: Iterable[str]) -> dict[str, int]:
    """Return for each request the rank of its last file: a new one comes behind it, also where others are missing."""
    return dict(sorted(_order(name) for name in files if _NAME.fullmatch(name)))


def _named(cassette: Cassette, place: Place) -> str:
    return Path(cassette.where(place)).name


def _order(name: str) -> tuple[str, int]:
    found = _NAME.fullmatch(name)
    assert found is not None
    return found[1], int(found[2] or 1)
