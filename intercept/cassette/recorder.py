"""Writing a recording: row by row beside the cassette, then in its place at a clean end.

Rows go to `<name>.partial.jsonl`, itself a valid cassette, as soon as their exchange ends; what fails or crashes leaves
the old cassette alone and the partial one beside it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from intercept.capabilities import Subject
from intercept.cassette import format as form
from intercept.cassette.reading import Key, content, read
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from intercept.runs import Run
    from intercept.spi import Call, Caps

_AT_ONCE: Final = 1 << 20
_NOT_THROUGH_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)
_recording: Final[dict[Path, str]] = {}  # partial files that this process writes now, and who does
_registry: Final = threading.Lock()


@dataclass(frozen=True, slots=True, order=True)
class _Line:
    """A row in the partial file: the place of its call among all calls of the session, where it is, whose model."""

    sequence: int
    start: int
    stop: int
    subject: Subject


class Recorder:
    """One recording of one cassette. Not safe by itself: its session holds a lock around every call.

    In a run that has recorded the cassette before, the rows go behind those it holds, and numbering goes on from there.
    """

    def __init__(self, path: Path, *, sdks: Mapping[str, str], run: Run | None = None) -> None:
        self.test = None if run is None else run.part("record", path)
        self.path = path
        self.partial = path.with_name(f"{path.name.removesuffix('.jsonl')}.partial.jsonl")
        self.rows = 0
        self.remarks: list[str] = []
        self._header = form.header(sdks)
        self._next: dict[Key, int] = {}
        self._lines: list[_Line] = []
        self._file: int | None = None
        self._run = run
        self._registered = False
        with _registry:  # before the cassette is looked at: another recording may be about to replace it
            if self.partial in _recording:
                holder = _recording[self.partial]
                raise CassetteError(
                    str(path), f"it is being recorded already, by {holder}; give this recording another file"
                )
            self._registered = True
            _recording[self.partial] = f"process {os.getpid()}{f', in {self.test}' if self.test else ''}"
        try:
            self._old = self._existing(adding=run is not None and path in run.recorded)
        except BaseException:
            self.close()
            raise

    def _existing(self, *, adding: bool) -> bytes:
        """Look at what a recording would replace: never a file that is no cassette of ours."""
        if not os.path.lexists(self.path):
            return b""
        try:
            if not content(self.path).strip():
                return b""
            cassette = read(self.path)
        except CassetteError as error:
            reason = f"{error.reason}; a recording does not overwrite it: give it another file, or delete this one"
            raise CassetteError(error.where, reason) from None
        if not adding:
            return b""
        for key, group in cassette.groups.items():
            self._next[key] = max(len(group), *(1 + (place.occurrence or 0) for place in group))
        return cassette.data if cassette.data.endswith(b"\n") else cassette.data + b"\n"

    def claim(self, key: Key) -> int:
        """Number a request among equal ones, before it is sent; raise if there is nowhere to write its row."""
        if self._file is None:
            self._file = self._open()
        number = self._next.get(key, 0)
        if number > form.HIGHEST_OCCURRENCE:
            raise CassetteError(str(self.path), f"occurrence: {number} is past the highest number of a request")
        self._next[key] = number + 1
        return number

    def write(self, sequence: int, call: Call, row: Sequence[bytes]) -> None:
        """Append one row at once; `sequence` is the place of its call among all calls of the session."""
        assert self._file is not None, "a row is written for a claimed number"
        size = sum(map(len, row))
        if size > form.LONGEST_ROW:
            reason = f"the row of {call.operation} would have {size} bytes; a row may have {form.LONGEST_ROW}"
            raise CassetteError(str(self.path), reason)
        start = os.fstat(self._file).st_size
        try:
            # In one go, but for what would have to be held twice for it.
            for part in [b"".join(row)] if size <= _AT_ONCE else row:
                _write(self._file, part)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, start)  # a part of a row would be fused with the next
            raise
        self._lines.append(_Line(sequence, start, start + size, (call.adapter, call.provider, call.model)))
        self.rows += 1

    def commit(self, caps: Callable[[Subject], Caps | None]) -> None:
        """Put the recording in the cassette's place: its rows in the order of the calls, with what models can do.

        Without a row the cassette stays as it is. Raises `CassetteError` if the place cannot be written.
        """
        try:
            if self.rows:
                self._swap(chain([self._old or self._header], self._final(caps)))
        except OSError as error:
            reason = f"it could not be written ({error.strerror or error}); what was recorded is in {self.partial}"
            raise CassetteError(str(self.path), reason) from error
        finally:
            self.close()
        if self.rows:
            self.partial.unlink(missing_ok=True)
            if self._run is not None:
                self._run.recorded.add(self.path)

    def _final(self, caps: Callable[[Subject], Caps | None]) -> Iterator[bytes]:
        assert self._file is not None
        for line in sorted(self._lines):
            stop = line.stop - len(form.NO_CAPS)
            for start in range(line.start, stop, _AT_ONCE):
                yield os.pread(self._file, min(_AT_ONCE, stop - start), start)
            yield form.with_caps(caps(line.subject))

    def close(self) -> None:
        """Leave the cassette alone, and what was recorded in the partial file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            if not self.rows:
                self.partial.unlink(missing_ok=True)
        with _registry:
            if self._registered:
                _recording.pop(self.partial, None)
                self._registered = False

    def _open(self) -> int:
        try:
            return self._opened()
        except OSError as error:
            raise CassetteError(str(self.partial), f"no row can be written ({error.strerror or error})") from error

    def _opened(self) -> int:
        for folder in reversed([self.path.parent, *self.path.parent.parents]):
            folder.mkdir(mode=0o700, exist_ok=True)  # with parents=True, those would be open to all
        if os.path.lexists(self.partial):
            failed = self.path.with_name(f"{self.path.name.removesuffix('.jsonl')}.failed.jsonl")
            self.partial.replace(failed)
            # Told at the end: where warnings are errors, one here would cost the call that is about to be made.
            self.remarks.append(f"{self.partial}: an earlier recording did not end well; what it left is in {failed}")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _NOT_THROUGH_LINKS
        file = os.open(self.partial, flags, 0o600)
        _write(file, self._header)
        return file

    def _swap(self, parts: Iterable[bytes]) -> None:
        new = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        new.unlink(missing_ok=True)
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOT_THROUGH_LINKS, 0o600)
        try:
            if self.path.exists():
                new.chmod(stat.S_IMODE(self.path.stat().st_mode))
            for part in parts:
                _write(file, part)
            os.fsync(file)
            new.replace(self.path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        finally:
            os.close(file)
        _sync_folder(self.path.parent)


def _write(file: int, content: bytes) -> None:
    view = memoryview(content)
    while view:  # a full disk may take a part
        view = view[os.write(file, view) :]


def _sync_folder(folder: Path) -> None:
    """Make the new name outlive a power loss, where the system lets a folder be synced."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
