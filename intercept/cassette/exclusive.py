"""Recording alone: row by row beside the cassette, then in its place at a clean end.

Rows go to `<name>.partial.jsonl`, itself a valid cassette, as soon as their exchange ends; what fails or crashes leaves
the old cassette alone and the partial one beside it.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from intercept.cassette import files
from intercept.cassette import format as form
from intercept.cassette.adopting import Alone, settle
from intercept.cassette.claims import Numbers
from intercept.cassette.index import taken
from intercept.cassette.layouts import own, writable
from intercept.cassette.lines import LineLayout
from intercept.cassette.locks import Gate, Hold, Holder
from intercept.cassette.recorder import Claim, Moments, refuse_long, too_late
from intercept.cassette.state import recorded
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.cassette.arranging import CapsOf
    from intercept.cassette.files import Folder
    from intercept.cassette.format import Origin
    from intercept.cassette.index import Key
    from intercept.cassette.layouts import Layout
    from intercept.runs import Run


class Exclusive:
    """Records alone, for the modes `record` and `update`.

    Processes of one run may record one cassette at once, each in a partial file of its own, and what they recorded is
    put together as each of them ends. A forked child writes to its parent's file, and behind the gate: so its rows are
    there before the parent ends, or the child is told that it comes too late.
    """

    def __init__(self, layout: Layout, mode: Alone, *, origin: Origin, run: Run | None) -> None:
        self.path = layout.path
        self.test = None if run is None else run.part(mode, layout.path)
        self.rows = 0
        self.remarks: list[str] = []
        self._layout = layout
        self._mode: Alone = mode
        self._origin = origin
        self._header = form.header(origin, mode=mode, cassette=layout.name)
        self._moments = Moments()
        self._file: int | None = None
        self._gate = Gate(layout.path)
        name = None if run is None else run.id
        self._earlier = recorded(name, self._gate.name)
        with self._gate.passed():
            self._hold = Hold(self._gate, Holder(os.getpid(), mode, name, self.test))
            try:
                self._numbers = Numbers(layout.path, self._taken())
                self.kept_in = layout.partial if self._hold.alone else own(layout.partial)
                self._left = _identity(self.kept_in)
            except BaseException:
                self._hold.end()
                raise

    def _taken(self) -> dict[Key, int]:
        """Return the numbers that are taken already; a cassette that cannot be recorded over is refused."""
        old, done = writable(self._layout), self._earlier.keys()
        if old is None:
            return {}
        old.close()
        return {
            key: taken(group)
            for key, group in old.groups.items()
            if done is None or any(place.recorded_as(key) in done for place in group)
        }

    def claim(self, key: Key) -> Claim:
        """See `Recorder.claim`."""
        if self._file is None or self._hold.inherited:
            with self._gate.passed():
                self._hold.check()
                self._file = self._opened() if self._file is None else self._file
        number = self._numbers.claim(key)
        # What a forked child counts, its parent counts too: they are numbered when they are put together.
        return Claim(key, None if self._hold.inherited else number, self._moments.next())

    def _opened(self) -> int:
        with self._layout.folder(make=True) as folder:
            found = folder.stat(self.kept_in.name)
            if found is not None and (found.st_dev, found.st_ino) == self._left:
                failed = self._layout.failed
                folder.rename(self.kept_in.name, failed.name)
                # Told at the end: where warnings are errors, one here would cost the call that is about to be made.
                self.remarks.append(
                    f"{self.kept_in}: an earlier recording did not end well; what it left is in {failed}"
                )
                found = None
            self._left = None
            if found is not None:  # a forked child, or our parent, was here before
                return folder.open(self.kept_in.name, append=True)
            return folder.begin(self.kept_in.name, [self._header])

    def write(self, claim: Claim, exchange: form.Exchange) -> None:
        """See `Recorder.write`."""
        if self._file is None:
            raise too_late(self.path)
        row = form.row(replace(exchange, occurrence=claim.occurrence, sequence=claim.sequence))
        refuse_long(self.kept_in, row)
        with self._gate.passed() if self._hold.inherited else contextlib.nullcontext():
            self._hold.check()
            self._stay()
            files.append(self._file, row)
        self.rows += 1

    def _stay(self) -> None:
        """Have the partial file open that has its name; if somebody has removed it, put it back."""
        if self._file is None or os.fstat(self._file).st_nlink:
            return
        with self._gate.passed(), self._layout.folder() as folder:
            if not self._is_ours(folder):
                self._file = folder.put_back(self.kept_in.name, self._file)
                return
            lost, self._file = self._file, folder.open(self.kept_in.name, append=True)  # another process was faster
            os.close(lost)

    def _is_ours(self, folder: Folder) -> bool:
        """Whether the file that has the partial one's name is of this recording; any other is set aside."""
        if folder.stat(self.kept_in.name) is None:
            return False
        file = folder.open(self.kept_in.name)
        try:
            if files.read_at(file, 0, len(self._header)) == self._header:
                return True
        finally:
            os.close(file)
        folder.rename(self.kept_in.name, self._layout.failed.name)
        return False

    def commit(self, caps: CapsOf) -> None:
        """See `Recorder.commit`: the rows are put in the order of the calls, with what models can do.

        Without a row the cassette stays as it is.
        """
        if self._hold.inherited:
            return
        try:
            self._stay()
            with self._gate.passed():
                self._settle(caps)
                self._hold.end()  # before a forked child gets through the gate: its row would wait for ever
        except OSError as error:
            raise CassetteError(str(self.kept_in), f"it could not be taken over: {files.reason_of(error)}") from error

    def _settle(self, caps: CapsOf) -> None:
        untouched = self._left is not None and self._left == _identity(self.kept_in)
        new = None if untouched else LineLayout(self.kept_in, self._layout.within).existing()
        if self._file is not None and _identity(self.kept_in) != _identity(self._file):
            raise CassetteError(str(self.kept_in), "what was recorded is not here any more; was its folder moved?")
        if new is None:
            return
        self.rows = len(new)
        try:
            if new.groups:
                settle(self._layout, new, self._mode, self._earlier, origin=self._origin, caps=caps)
                self._remove()
        finally:
            new.close()

    def _remove(self) -> None:
        with self._layout.folder() as folder:
            folder.remove(self.kept_in.name)

    def close(self, *, drop: bool = False) -> None:
        """See `Recorder.close`."""
        try:
            if self._file is not None:
                rows = os.fstat(self._file).st_size > len(self._header)  # a forked child's, perhaps
                os.close(self._file)
                self._file = None
                if (drop or not rows) and not self._hold.inherited:
                    with contextlib.suppress(OSError):
                        self._remove()
        finally:
            self._hold.leave()


def _identity(path: Path | int) -> tuple[int, int] | None:
    try:
        found = os.fstat(path) if isinstance(path, int) else path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
