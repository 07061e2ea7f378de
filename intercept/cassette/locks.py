"""Who records a cassette now: one alone, several that extend it, or the processes of one run.

Every recorder holds a lock file of its own, and has written beside it who it is; the lock of one that died is free, so
it is taken for what it is. A gate lets one process at a time look and change.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout

from intercept.cassette import state
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Generator

_PATIENCE: Final = 60.0
"""Seconds; nobody is busy behind the gate for so long, unless something stopped it there."""
_POLL: Final = 0.002


@dataclass(frozen=True)
class Holder:
    """One recorder of a cassette: its process, its mode, its run, and the test that it records for."""

    pid: int
    mode: str
    run: str | None = None
    test: str | None = None

    def __str__(self) -> str:
        """Name it."""
        return f"process {self.pid} (mode {self.mode}{f', in {self.test}' if self.test else ''})"

    def bears(self, other: Holder) -> bool:
        """Whether both may record one cassette at once."""
        together = self.mode == other.mode == "extend"
        return together or (self.run is not None and self.run == other.run and self.pid != other.pid)


class Gate:
    """Lets one process at a time look at a cassette and change it. Some cassettes share one: there are 256 at most."""

    def __init__(self, cassette: Path) -> None:
        self.cassette = cassette
        self.folder = state.folder()
        self.name = state.name_of(cassette)
        self._lock = self._made()
        self._process = os.getpid()

    def _made(self) -> FileLock:
        return _lock(self.folder / f"{self.name[:2]}.gate", timeout=_PATIENCE)

    @contextlib.contextmanager
    def passed(self) -> Generator[None, None, None]:
        """Be the one behind the gate; raise `CassetteError` if whoever is there does not come out."""
        if self._process != os.getpid():  # a forked child has to ask for itself
            self._lock, self._process = self._made(), os.getpid()
        held = self._lock.lock_counter
        try:
            self._enter()
            yield
        finally:  # also where an interrupt came between the two
            if self._lock.lock_counter > held:
                self._lock.release()

    def open(self) -> None:
        """Let others through, however often it was passed."""
        self._lock.release(force=True)

    def _enter(self) -> None:
        try:
            self._lock.acquire(poll_interval=_POLL)  # pyright: ignore[reportUnknownMemberType]
        except Timeout:
            raise CassetteError(
                str(self.cassette), f"another process holds {self._lock.lock_file} for more than {_PATIENCE:.0f} s"
            ) from None


class Hold:
    """The presence of one recorder, from its start to its end."""

    _numbers = count()

    def __init__(self, gate: Gate, holder: Holder) -> None:
        """Enter, behind the gate; raise `CassetteError` that names whoever records the cassette already."""
        self.holder = holder
        self._gate = gate
        self._path = gate.folder / f"{gate.name}.{holder.pid}-{next(self._numbers)}.holder"
        others = self._others()
        self.alone = not others
        for other in others:
            if not holder.bears(other):
                raise CassetteError(
                    str(gate.cassette),
                    f"it is being recorded already, by {other}; wait for its end, or give this recording another file",
                )
        self._lock = _lock(self._path, timeout=0)
        self._lock.acquire()  # pyright: ignore[reportUnknownMemberType]
        try:
            state.put(self._words, json.dumps(asdict(holder)))
        except BaseException:
            self.end()
            raise

    def _others(self) -> list[Holder]:
        paths = self._gate.folder.glob(f"{self._gate.name}.*.holder")
        return [other for other in (_living(path) for path in paths if path != self._path) if other is not None]

    @property
    def inherited(self) -> bool:
        """Whether this process is a child that was forked from the recorder's."""
        return self.holder.pid != os.getpid()

    @property
    def last(self) -> bool:
        """Whether nobody else is left, as asked behind the gate."""
        return not self.inherited and not self._others()

    def check(self) -> None:
        """Raise `CassetteError` in a child whose parent has ended the recording, as asked behind the gate.

        The cassette may be somebody else's since then.
        """
        if self.inherited and not self._path.exists():
            raise CassetteError(str(self._gate.cassette), "the recording has ended before this process")

    @property
    def _words(self) -> Path:
        return self._path.with_suffix(".json")

    def leave(self) -> None:
        """End, and be behind the gate no more, even where an interrupt has kept somebody from coming out."""
        try:
            self.end()
        finally:
            self._gate.open()

    def end(self) -> None:
        """Be present no more; a forked child leaves that to its parent."""
        if self.inherited or not self._lock.is_locked:
            return
        try:
            with self._gate.passed():  # between these steps nobody must look
                self._path.unlink(missing_ok=True)
                self._words.unlink(missing_ok=True)
                self._lock.release()
        finally:
            self._lock.release()


def _living(path: Path) -> Holder | None:
    """Return who holds this lock; one that died is cleared away."""
    lock = _lock(path, timeout=0)
    words = path.with_suffix(".json")
    try:
        lock.acquire()  # pyright: ignore[reportUnknownMemberType]
    except Timeout:
        try:
            told: dict[str, Any] = json.loads(words.read_text(encoding="utf-8"))
            return Holder(**told)
        except (OSError, ValueError, TypeError):
            return Holder(int(path.name.split(".")[1].partition("-")[0]), "unknown")
    path.unlink(missing_ok=True)
    words.unlink(missing_ok=True)
    lock.release()
    return None


def _lock(path: Path, *, timeout: float) -> FileLock:
    return FileLock(path, timeout=timeout, mode=0o600, thread_local=False)
