"""A repository, under the git that people have."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Git:
    """A repository of one folder, on its first branch."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments: str) -> str:
        """Run git; it must succeed."""
        settings = ("-c", "user.name=n", "-c", "user.email=n@localhost", "-c", "commit.gpgsign=false")
        command = ["git", *settings, *arguments]
        ran = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def commit(self) -> None:
        """Commit all there is."""
        self("add", "-A")
        self("commit", "-q", "-m", "recorded")
