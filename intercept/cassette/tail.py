"""The end of a file of lines, to which several processes append."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Final

from intercept.cassette import files
from intercept.cassette import format as form
from intercept.cassette.layouts import own, writable
from intercept.cassette.lines import lines_of
from intercept.cassette.rows import is_cut
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.cassette.claims import Numbers
    from intercept.cassette.format import Origin
    from intercept.cassette.index import Key
    from intercept.cassette.lines import LineLayout
    from intercept.cassette.recorder import Claim

_STEP: Final = 1 << 16


class Tail:
    """Implements `intercept.cassette.extending.Target`.

    Where the file was removed meanwhile it is put back. Where another was put in its place, the rows written here go to
    that one, and beside it if it is no cassette. A last line that was torn off by a crash is taken away first: nothing
    is fused with it.
    """

    def __init__(
        self,
        layout: LineLayout,
        origin: Origin,
        numbers: Numbers,
        remarks: list[str],
    ) -> None:
        self._layout = layout
        self._header = form.header(origin)
        self._aside = own(layout.partial)
        self._aside_header = form.header(origin, mode="extend", cassette=layout.name)
        self._is_aside = False
        self._claim = numbers.claim
        self._pass_over = numbers.pass_over
        self._remarks = remarks
        self._file: int | None = None
        self._written: list[tuple[Key, int, int]] = []
        self._process = os.getpid()
        self._found: dict[Key, int] = {}

    def add(self, claim: Claim, row: Sequence[form.Piece]) -> None:
        """See `intercept.cassette.extending.Target`."""
        if self._process != os.getpid():  # what was written before a fork is the parent's to look after
            self._written, self._process = [], os.getpid()
        try:
            moved = self._follow(make=self._file is None)
        except CassetteError as error:
            raise self._set_aside(error, row) from None
        if moved or (claim.occurrence or 0) < self._found.get(claim.key, 0):
            row = self._numbered(claim.key, b"".join(row))
        self._append(claim.key, row)

    def settle(self) -> None:
        """See `intercept.cassette.extending.Target`."""
        if not self._written:
            return
        try:
            self._follow(make=False)
        except CassetteError as error:
            raise self._set_aside(error) from None

    def close(self) -> None:
        """See `intercept.cassette.extending.Target`."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _set_aside(self, error: CassetteError, row: Sequence[form.Piece] = ()) -> CassetteError:
        """Keep what was written, and one more row, beside what has taken the cassette's place and is none."""
        with self._layout.folder() as folder:
            name = self._aside.name
            if self._is_aside:
                file = folder.open(name, append=True)
            else:
                written = [] if self._file is None else [files.read_at(self._file, *at) for _, *at in self._written]
                file = folder.begin(name, [self._aside_header, *written])
                self._is_aside = True
            try:
                files.append(file, row)
            finally:
                os.close(file)
        return CassetteError(error.where, f"{error.reason}; what was recorded is in {self._aside}")

    def _append(self, key: Key, row: Sequence[form.Piece]) -> None:
        assert self._file is not None
        self._written.append((key, *files.append(self._file, row)))

    def _follow(self, *, make: bool) -> bool:
        """Have the file open that has the cassette's name now; say whether it is another than before."""
        name = self._layout.name
        with self._layout.folder(make=make) as folder:
            found = folder.stat(name)
            if self._file is None:
                self._file = folder.begin(name, [self._header]) if found is None else folder.open(name, append=True)
            elif found is None:
                self._file = folder.put_back(name, self._file)
            elif not os.path.samestat(found, os.fstat(self._file)):
                self._move(folder.open(name, append=True), self._file)
                return True
        self._mend(self._file)
        return False

    def _move(self, file: int, old: int) -> None:
        """Go on in another file; what was written here and is not in it goes there first."""
        try:
            cassette = writable(self._layout)
        except BaseException:
            os.close(file)
            raise
        present = set[bytes]()
        if cassette is not None:
            self._found = cassette.taken()  # a call that is under way may have claimed such a number before
            self._pass_over(self._found)
            present = {text for _, _, text in lines_of(cassette)} if self._written else present
            cassette.close()
        rows = [(key, files.read_at(old, start, stop)) for key, start, stop in self._written]
        os.close(old)
        self._file = file
        self._written.clear()
        self._mend(file)
        for key, row in rows:
            if row not in present:
                self._append(key, self._numbered(key, row))

    def _numbered(self, key: Key, row: bytes) -> Sequence[form.Piece]:
        """Give a row another number: it goes to a cassette that knows nothing of the one it had."""
        return form.rewritten(row, occurrence=self._claim(key))

    def _mend(self, file: int) -> None:
        """See to it that the file begins with a header and ends with a whole line."""
        size = os.fstat(file).st_size
        start, last = _last_line(file, size)
        if last.strip() and is_cut(last):
            os.ftruncate(file, start)
            self._remarks.append(f"{self._layout.path}: the last row was cut off while it was written, and is left out")
            size = start
        elif last:
            files.append(file, [b"\n"])
        if size < len(self._header) and not files.read_at(file, 0, size).removeprefix(BOM_UTF8).strip():
            files.append(file, [self._header])


def _last_line(file: int, size: int) -> tuple[int, bytes]:
    """Return where an unfinished last line starts, and its text; nothing if the file ends with a whole line."""
    if size == 0 or files.read_at(file, size - 1, size) == b"\n":
        return size, b""
    start, text = size, b""
    while start and b"\n" not in text and len(text) <= form.LONGEST_ROW:
        start = max(0, size - 2 * (size - start) - _STEP)
        text = files.read_at(file, start, size)
    last = text.rpartition(b"\n")[2]
    return size - len(last), last
