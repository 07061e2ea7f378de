"""Programs in processes of their own: for what ends a process, and for what a fresh one has imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

_STEERING = ("OPENAI_", "ANTHROPIC_", "AZURE_", "INTERCEPT_", "PYTEST_", "COV_", "PYTHON")


def run(
    folder: Path, source: str, *arguments: str, cwd: Path | None = None, name: str = "program.py", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Write a program into a folder and run it, with warnings as errors."""
    program = folder / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(dedent(source), encoding="utf-8")
    return python("-W", "error", str(program), *arguments, cwd=cwd or folder, **variables)


def python(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python, free of what steers us, the SDKs or itself."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_STEERING)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**clean, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
