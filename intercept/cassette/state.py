"""What recorders tell each other beside the cassettes, in a folder for temporary files: one for each user and machine.

Beside the cassettes it would be committed.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from intercept.cassette import files
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from intercept.cassette.index import Key

_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
_RUNS: Final = "runs"


def folder() -> Path:
    """Return this user's folder for locks, made if need be; raise `CassetteError` if it is somebody else's."""
    path = _path()
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise CassetteError(str(path), f"the folder for locks cannot be made ({error.strerror or error})") from error
    if not stat.S_ISDIR(found.st_mode) or (
        os.name == "posix" and (found.st_uid != os.getuid() or found.st_mode & _OTHERS)
    ):
        raise CassetteError(
            str(path), "this is to be a folder for locks that nobody else can write; remove it, or set TMPDIR"
        )
    return path


def _path() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir(), f"intercept-{user}")


def name_of(cassette: Path) -> str:
    """Return what a cassette is called here, by whichever path it is reached."""
    return _digest(os.path.realpath(cassette))


def put(file: Path, text: str) -> None:
    """Write a small file, through no link; whoever reads it finds it whole."""
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        files.write(descriptor, [text.encode()])
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:32]


@dataclass(frozen=True)
class Recorded:
    """What the sessions of one run have recorded of one cassette, as its processes tell each other through a file."""

    file: Path | None

    def keys(self) -> frozenset[Key] | None:
        """Return the requests; None where it is the whole cassette."""
        if self.file is None or not self.file.exists():
            return frozenset()
        told = json.loads(self.file.read_text(encoding="utf-8"))
        return None if told is None else frozenset((adapter, request_hash) for adapter, request_hash in told)

    def note(self, keys: frozenset[Key] | None) -> None:
        """Let those that come later know."""
        if self.file is not None:
            self.file.parent.mkdir(mode=0o700, exist_ok=True)
            put(self.file, json.dumps(None if keys is None else sorted(keys)))


def recorded(run: str | None, name: str) -> Recorded:
    """Return what a run has recorded of the cassette that has this name here."""
    return Recorded(None if run is None else folder() / _RUNS / f"{_digest(run)}-{name}")


def forget(run: str) -> None:
    """Forget what a run has recorded: it is over."""
    for file in (_path() / _RUNS).glob(f"{_digest(run)}-*"):
        file.unlink(missing_ok=True)
