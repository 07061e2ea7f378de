"""Where a cassette lies: never by the working directory."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intercept import runs
from intercept.errors import ConfigError

_UNSAFE: Final = re.compile(r"[^\w.-]+", re.ASCII)
_LONGEST: Final = 80
_DEVICES: Final = {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10))}


@dataclass(frozen=True)
class Location:
    """Where a cassette lies.

    `within` is the folder that a cassette must not leave by any link: set where a test gave it its name, not a person.
    `folder` says that it is a folder of rows rather than one file.
    """

    path: Path
    within: Path | None = None
    folder: bool = False


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


def resolved(cassette: str | os.PathLike[str], root: Path) -> Location:
    """Place a cassette that a person named: a relative path starts at `root` and stays below it.

    One that ends with a slash, or is a folder already, is a folder of rows. Raises `ConfigError` for what is no path,
    and for a relative one that leads out of the project.
    """
    named = os.fspath(cassette)
    if not named or "\0" in named:
        raise ConfigError(f"{named!r:.80} is no name for a cassette")
    path = Path(os.path.abspath(root / named))  # noqa: PTH100  resolve() would follow links
    if not Path(named).is_absolute() and root not in path.parents:
        raise ConfigError(
            f"{named!r:.80} leads out of the project {root}; if that is meant, give the cassette an absolute path"
        )
    return Location(path, folder=named.endswith(("/", os.sep)) or os.path.isdir(path))  # noqa: PTH112  which asks of any name


def default(root: Path, file: str, name: str) -> Location:
    """Name the cassette of a test: `cassettes/<path of its file>/<its name>.jsonl`, with its classes and parameters."""
    test = runs.running_test()
    function = name.rpartition(".")[2]
    found = re.search(rf"::((?:\w+::)*){re.escape(function)}(\[.*\])?$", test, re.DOTALL)
    if found:
        classes = found[1].replace("::", ".")
        name = (name if "." in name else classes + name) + (found[2] or "")
    path = Path(file)
    real, real_root = path.resolve(), root.resolve()  # a run may have come to its root by a link
    inside = real.relative_to(real_root) if real.is_relative_to(real_root) else Path(path.name)
    folders = (safe(part) for part in inside.with_suffix("").parts)
    within = root / "cassettes"
    return Location(within.joinpath(*folders, f"{safe(name)}.jsonl"), within)


def safe(name: str) -> str:
    """Make any name of a test a file name that every system takes; what it loses, a digest makes up for.

    Parameters are told apart even where the case of letters does not count, and a device of Windows is no name.
    """
    function, bracket, parameters = name.partition("[")
    parameters = parameters.removesuffix("]")
    if parameters:
        from intercept.redaction import named

        parameters = named(parameters)
    plain = f"{function}-{parameters}" if bracket else function
    slug = _UNSAFE.sub("_", plain)[:_LONGEST].strip("._")
    whole = slug == plain and (not bracket or (parameters != "" and parameters == parameters.lower()))
    if slug.partition(".")[0].upper() in _DEVICES:
        slug = f"_{slug}"
    return slug if whole else f"{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
