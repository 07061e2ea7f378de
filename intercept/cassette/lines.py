"""A cassette that is one file: a header, then a row a line."""

from __future__ import annotations

import glob
import os
import weakref
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING

from intercept.cassette import files
from intercept.cassette import format as form
from intercept.cassette.files import Folder
from intercept.cassette.index import Index
from intercept.cassette.rows import decode_header, decode_row, is_cut
from intercept.errors import CassetteError, warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from intercept.cassette.arranging import Arranged, CapsOf
    from intercept.cassette.format import Origin
    from intercept.cassette.identities import Identities
    from intercept.cassette.index import Cassette, Place
    from intercept.cassette.rows import Header


class Lines:
    """The text of one file, which stays open: whoever replaces it meanwhile takes nothing away."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self.file = file
        self.close = weakref.finalize(self, os.close, file)

    def text(self, place: Place) -> bytes:
        """See `intercept.cassette.index.Source`."""
        return files.read_at(self.file, place.start, place.stop)

    def where(self, number: int) -> str:
        """See `intercept.cassette.index.Source`."""
        return f"{self._path}:{number}"

    def spot(self, number: int) -> str:
        """See `intercept.cassette.index.Source`."""
        return f"line {number}"

    def line(self, place: Place) -> bytes:
        """Return a row with what ends it; a last line may lack that."""
        line = files.read_at(self.file, place.start, place.stop + len(b"\r\n"))
        text, ending = line[: place.stop - place.start], line[place.stop - place.start :]
        return text + (b"\r\n" if ending == b"\r\n" else b"\n")

    def first_line(self) -> bytes:
        """Return the header's text."""
        return next(iter(self))[2].strip()

    def __iter__(self) -> Iterator[tuple[int, int, bytes]]:
        """Give each line that is not blank: its number, where it starts, and its text with what ends it."""
        start = 0
        with os.fdopen(os.dup(self.file), "rb") as text:
            text.seek(0)
            number = 0
            while line := text.readline(form.LONGEST_ROW + 3):  # one more than a row with its line end
                number += 1
                if len(line) > form.LONGEST_ROW + 2:
                    reason = f"a row may have {form.LONGEST_ROW} bytes, and this one has more"
                    raise CassetteError(self.where(number), reason)
                if start == 0 and line.startswith(BOM_UTF8):
                    line, start = line[len(BOM_UTF8) :], len(BOM_UTF8)
                if line and not line.isspace():
                    yield number, start, line
                start += len(line)


class LineLayout:
    """A cassette that is one file, to be read and written."""

    def __init__(self, path: Path, within: Path | None = None, identities: Identities | None = None) -> None:
        """Know a cassette by its path; `within` names a folder out of which no link may lead."""
        self.path = path
        self._identities = identities
        # Whoever has laid a link to a cassette wants to keep it; within a folder none is followed.
        followed = within is None and os.path.islink(path)  # noqa: PTH114  asks of any name
        self._file = Path(os.path.realpath(path)) if followed else path  # resolve() fails for a link to itself
        self.name = self._file.name
        self.partial = self._file.with_name(f"{self._file.stem}.partial{self._file.suffix}")
        self.failed = self._file.with_name(f"{self._file.stem}.failed{self._file.suffix}")
        self.within = within

    def left(self) -> Iterable[Path]:
        """See `intercept.cassette.layouts.Layout`."""
        own = self.partial.parent.glob(f"{glob.escape(self._file.stem)}.*.partial{glob.escape(self._file.suffix)}")
        return (self.partial, *sorted(own), self.failed)

    def folder(self, *, make: bool = False) -> Folder:
        """Open the folder of the cassette and of its partial file."""
        return Folder(self._file.parent, within=self.within, make=make)

    def read(self) -> Cassette:
        """Open the cassette; raise `CassetteError` with `path:line: field: reason` for whatever is wrong with it.

        A last line that was torn off while it was written loses only itself, with a warning.
        """
        cassette = _indexed(self.path, Lines(self.path, files.opened(self.path, self.within)), self._identities)
        if cassette is None:
            raise CassetteError(str(self.path), "the file is empty, so it is no cassette; delete it, or record it anew")
        return cassette

    def existing(self) -> Cassette | None:
        """Open the cassette if there is one: None where there is no file, or nothing in it."""
        if not os.path.lexists(self.path):
            self._refuse_links()
            return None
        return _indexed(self.path, Lines(self.path, files.opened(self.path, self.within)), self._identities)

    def _refuse_links(self) -> None:
        """Raise `CassetteError` for a folder on the way that is a link, before anything is asked of a provider."""
        try:
            if self.within is not None:
                self.folder().close()
        except FileNotFoundError:
            return
        except OSError as error:
            files.refuse_link(self.path, self.within, error)

    def put(self, rows: Sequence[Arranged], origin: Origin, old: Cassette | None, caps: CapsOf) -> None:
        """Write the cassette anew, of these rows; whatever interrupts it, the old one is there or the new one."""
        first = form.header(origin) if old is None else form.merged_header(lines_of(old).first_line(), origin)

        def pieces() -> Iterator[form.Piece]:
            yield first
            for row in rows:
                yield from row.pieces(caps) or [lines_of(row.cassette).line(row.place)]

        with self.folder(make=True) as folder:
            folder.put({folder.draft(self.name, pieces()): self.name})


def read(path: Path, within: Path | None = None) -> Cassette:
    """Open a cassette; see `LineLayout.read`."""
    return LineLayout(path, within).read()


def lines_of(cassette: Cassette) -> Lines:
    """Return the lines of a cassette that is one file."""
    assert isinstance(cassette.source, Lines)
    return cassette.source


def _indexed(path: Path, source: Lines, identities: Identities | None) -> Cassette | None:
    """Take in every row; None for a file with nothing in it."""
    try:
        header: Header | None = None
        index = Index(path, source, identities)
        for number, start, text in source:
            where = source.where(number)
            line = text.removesuffix(b"\n").removesuffix(b"\r")
            if header is None:
                header = decode_header(where, line)
                continue
            try:
                row = decode_row(where, line)
            except CassetteError as error:
                if text.endswith(b"\n") or not is_cut(line):
                    raise
                warn(f"{where}: the last row was cut off while it was written, and is left out ({error.reason})")
                break
            index.add(row, header.redaction, number, start, start + len(line))
        return None if header is None else index.cassette(header)
    except BaseException as error:
        source.close()
        if isinstance(error, OSError):
            raise CassetteError(str(path), f"it cannot be read: {files.reason_of(error)}") from error
        raise
