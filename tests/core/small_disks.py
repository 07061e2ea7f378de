"""A disk of 64 KiB, which is soon full, can be closed to writing and taken away."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = 64 * 1024


@contextmanager
def small_disk(folder: Path) -> Generator[SmallDisk]:
    """Mount one at a folder; skip the test where that cannot be done, as it takes root."""
    disk = SmallDisk(folder)
    folder.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("this system has no mount(8)")
    mounted = disk.run("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "small")
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield disk
    finally:
        disk.take_away()


class SmallDisk:
    """A disk that is mounted at a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filling = folder / "filling"

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command on it."""
        return subprocess.run([*command, self.folder], capture_output=True, text=True, check=False)

    def fill(self, *, left: int = 0) -> None:
        """Fill it with something else, but for so many bytes."""
        with self._filling.open("wb", buffering=0) as file:
            free = shutil.disk_usage(self.folder).free
            file.write(bytes(max(0, free - left)))

    def free(self) -> None:
        """Take the filling away."""
        self._filling.unlink()

    def close(self) -> None:
        """Make it read-only; a file that is open to be written would keep it from that."""
        self.run("mount", "-o", "remount,ro").check_returncode()

    def reopen(self) -> None:
        """Let it be written again."""
        self.run("mount", "-o", "remount,rw").check_returncode()

    def take_away(self) -> None:
        """Unmount it, whoever uses it; what is open on it can still be used."""
        self.run("umount", "--lazy")
