"""Where a cassette lies: never by the working directory."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

from intercept import runs

_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)
_LONGEST: Final = 80


def project_root(caller: str) -> Path:
    """Return the run's root, else the nearest folder above the calling file with a pyproject.toml.

    Without one it is the file's own folder; code without a file (a console) has only the working directory.
    """
    if runs.current is not None:
        return runs.current.root
    file = Path(caller)
    if not file.is_file():
        return Path.cwd()
    folder = file.resolve().parent
    return next((above for above in (folder, *folder.parents) if (above / "pyproject.toml").is_file()), folder)


def resolved(cassette: str | os.PathLike[str], root: Path) -> Path:
    """Make a cassette's path absolute."""
    return Path(os.path.abspath(root / os.fspath(cassette)))  # noqa: PTH100  resolve() would follow links


def default(root: Path, file: str, name: str) -> Path:
    """Name the cassette of a test: `cassettes/<path of its file>/<its name>.jsonl`, parameters included."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    found = re.search(rf"::{re.escape(name.rpartition('.')[2])}(\[.*\])$", test, re.DOTALL)
    full = name + (found[1] if found else "")
    path = Path(file)
    inside = path.resolve().relative_to(root) if path.resolve().is_relative_to(root) else Path(path.name)
    return root.joinpath("cassettes", *inside.with_suffix("").parts, f"{safe(full)}.jsonl")


def safe(name: str) -> str:
    """Make any text a file name that every system takes; what it loses, a digest makes up for."""
    plain = name.replace("[", "-").removesuffix("]")
    slug = _UNSAFE.sub("_", plain).strip("._")[:_LONGEST]
    return slug if slug == plain else f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
