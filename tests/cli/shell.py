"""The command in a process of its own, in a folder of its own, with next to nothing in its environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEY_SHAPED = re.compile(r"sk-[A-Za-z0-9_-]{8,}")
NOTHING: Final[Mapping[str, str]] = {}
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({missing!r})); from intercept.cli import main; main()"


@dataclass(frozen=True)
class Ran:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str
    folder: Path


@dataclass(frozen=True)
class Shell:
    """Runs `intercept` in one folder."""

    folder: Path

    def __call__(self, *arguments: str, missing: tuple[str, ...] = (), env: Mapping[str, str] = NOTHING) -> Ran:
        """Run it to its end, `env` added to its environment; packages named in `missing` cannot be imported."""
        start = ("-c", WITHOUT.format(missing=missing)) if missing else ("-m", "intercept")
        return self._run([*start, *arguments], env)

    def python(self, code: str) -> Ran:
        """Run a line of Python."""
        return self._run(["-c", code], NOTHING)

    def _run(self, arguments: list[str], env: Mapping[str, str]) -> Ran:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "PYTHONWARNINGS": "error", **env},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr, self.folder)
