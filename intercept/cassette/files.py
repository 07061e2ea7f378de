"""Files of one folder, by the folder's descriptor: a link that is swapped in meanwhile leads nobody elsewhere."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from intercept.errors import CassetteError, ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from intercept.cassette.format import Piece

_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
# A FIFO must not be waited for, and a terminal must not become ours.
_UNWAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_CAN_DESCEND: Final = os.open in os.supports_dir_fd
_LINKS: Final = (errno.ELOOP, errno.ENOTDIR)  # what systems say to a link that must not be followed
_BATCH: Final = 1 << 18  # bytes
_MOST_PIECES: Final = 512  # of one write; systems take 1024 at least


class Folder:
    """An open folder. New files in it are for their owner alone, and no link is followed to one."""

    def __init__(self, path: Path, *, within: Path | None = None, make: bool = False) -> None:
        """Open a folder, and `make` it where it is missing; raise `OSError` if that cannot be.

        Up to `within`, where it is given, links are followed: whoever owns the project has laid them. Below it none is.
        """
        if not _CAN_DESCEND:
            raise ConfigError("Recording takes a system with POSIX files; here cassettes can be replayed only.")
        trusted = path if within is None else within
        if make:
            for folder in reversed([trusted, *trusted.parents]):
                folder.mkdir(mode=0o700, exist_ok=True)  # with parents=True, those would be open to all
        self.path = path
        self._descriptor = os.open(trusted, _FOLDER)
        try:
            for part in path.relative_to(trusted).parts:
                self._descend(part, make=make)
        except BaseException:
            self.close()
            raise

    def _descend(self, part: str, *, make: bool) -> None:
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=self._descriptor)
        deeper = os.open(part, _FOLDER | NO_LINK, dir_fd=self._descriptor)
        os.close(self._descriptor)
        self._descriptor = deeper

    def __enter__(self) -> Folder:  # noqa: PYI034  typing.Self came with Python 3.11
        """Use it for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the folder; what was opened in it stays open."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def create(self, name: str) -> int:
        """Make a file that is not there yet, to be read and appended to."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | NO_LINK
        return os.open(name, flags, 0o600, dir_fd=self._descriptor)

    def begin(self, name: str, pieces: Sequence[Piece]) -> int:
        """Make a file that is not there yet, with a beginning; if that cannot be written there is no file either."""
        file = self.create(name)
        try:
            append(file, pieces)
        except BaseException:
            os.close(file)
            self.remove(name)
            raise
        return file

    def put_back(self, name: str, lost: int) -> int:
        """Make a file anew that lost its name while it was open; close the nameless one."""
        file = self.begin(name, [read_at(lost, 0, os.fstat(lost).st_size)])
        os.close(lost)
        return file

    def open(self, name: str, *, append: bool = False) -> int:
        """Open a file that is there; one that is none, or a link, is an `OSError`."""
        flags = os.O_RDWR | os.O_APPEND if append else os.O_RDONLY
        return os.open(name, flags | NO_LINK | _UNWAITING, dir_fd=self._descriptor)

    def stat(self, name: str) -> os.stat_result | None:
        """Look at a file, or at a link itself; None without one."""
        try:
            return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def rename(self, name: str, other: str) -> None:
        """Give a file another name; who had it is gone at once."""
        os.replace(name, other, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def name_anew(self, name: str, other: str) -> None:
        """Give a file one more name; raise `FileExistsError` if it is taken."""
        os.link(name, other, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor, follow_symlinks=False)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)

    def sync(self) -> None:
        """Make new names outlive a power loss, where the file system can; there they are already, each whole."""
        with contextlib.suppress(OSError):
            os.fsync(self._descriptor)

    def draft(self, name: str, pieces: Iterable[Piece]) -> str:
        """Write a file that is to take the place of what has the name, whose mode it takes over; return its own name.

        There it is whole on the disk, or not at all.
        """
        new = f".{name}.{os.getpid()}.new"
        self.remove(new)
        file = self.create(new)
        try:
            old = self.stat(name)
            if old is not None and stat.S_ISREG(old.st_mode):
                os.fchmod(file, stat.S_IMODE(old.st_mode))
            for batch in _batches(pieces):
                write(file, batch)
            os.fsync(file)
        except BaseException:
            self.remove(new)
            raise
        finally:
            os.close(file)
        return new

    def put(self, drafts: Mapping[str, str]) -> None:
        """Give drafts, by their own names, the names that they are for; one that cannot take its place is removed."""
        try:
            for new, name in drafts.items():
                self.rename(new, name)
        except BaseException:
            for new in drafts:
                self.remove(new)
            raise
        self.sync()


def opened(path: Path, within: Path | None) -> int:
    """Open a cassette's file to be read; raise `CassetteError` for what is none, or cannot be read."""
    try:
        if within is None or not _CAN_DESCEND:
            # Opening a device may do something, so it is looked at before; what it is then is looked at again.
            _refuse_irregular(path, path.stat().st_mode)
            descriptor = os.open(path, os.O_RDONLY | _UNWAITING | getattr(os, "O_BINARY", 0))
        else:
            with Folder(path.parent, within=within) as folder:
                descriptor = folder.open(path.name)
    except (OSError, ValueError) as error:
        refuse_link(path, within, error)
        raise CassetteError(str(path), f"it cannot be read: {reason_of(error)}") from error
    try:
        _refuse_irregular(path, os.fstat(descriptor).st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def open_to_all(folder: Path) -> bool:
    """Whether anybody on this machine may put other files into the place of a folder's files."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def refuse_link(path: Path, within: Path | None, error: Exception) -> None:
    """Raise `CassetteError` if an error came of a link that leads out of a folder which must not be left."""
    if within is not None and isinstance(error, OSError) and error.errno in _LINKS:
        raise CassetteError(
            str(path),
            f"a link stands in its way, and a cassette that a test names stays inside {within}; put a folder or a file "
            "in the place of the link, or give the cassette a path in code",
        ) from error


def _refuse_irregular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise CassetteError(str(path), "this is a folder; a cassette is a file")
    if not stat.S_ISREG(mode):
        raise CassetteError(str(path), "this is no regular file, so it cannot be a cassette")


def reason_of(error: OSError | ValueError) -> str:
    """Say why a file could not be used."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def read_at(file: int, start: int, stop: int) -> bytes:
    """Read a part of a file; shorter than asked where the file is."""
    if hasattr(os, "pread"):
        return os.pread(file, stop - start, start)
    os.lseek(file, start, os.SEEK_SET)  # on a system without forks, so that nobody else moves the position
    return os.read(file, stop - start)


def write(file: int, pieces: Sequence[Piece]) -> None:
    """Write pieces by one call, where the disk takes them at once."""
    views = [memoryview(piece) for piece in pieces if piece]
    while views:
        done = os.writev(file, views[:_MOST_PIECES])
        while views and done >= len(views[0]):
            done -= len(views.pop(0))
        if views:
            views[0] = views[0][done:]


def _batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Put pieces together that are worth a call of the system."""
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= _BATCH or len(batch) == _MOST_PIECES:
            yield batch
            batch, size = [], 0
    yield batch


def append(file: int, pieces: Sequence[Piece]) -> tuple[int, int]:
    """Append to a file and return where; raise `OSError` and leave it as it was if that cannot be."""
    start = os.fstat(file).st_size
    try:
        write(file, pieces)
    except BaseException:
        with contextlib.suppress(OSError):
            os.ftruncate(file, start)  # a part of a row would be fused with the next
        raise
    return start, start + sum(map(len, pieces))
