"""What stands behind `intercept adopt` and `intercept.validate`: cassettes looked after by people."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from intercept import adapters
from intercept.capabilities import Capabilities
from intercept.cassette.adopting import adopt
from intercept.cassette.checking import faults
from intercept.cassette.layouts import layout_of
from intercept.cassette.lines import LineLayout
from intercept.cassette.locks import Gate, Hold, Holder
from intercept.errors import CassetteError
from intercept.paths import Location

if TYPE_CHECKING:
    from intercept.cassette.layouts import Layout


@dataclass(frozen=True)
class Rescued:
    """Which rows took their place: how many, from which file, in which cassette, beside how many others."""

    cassette: Path
    left: Path
    rows: int
    others: int


def rescue(path: Path) -> Rescued:
    """Put what a recording left behind in its place; `path` is its file, or the cassette.

    Raises `CassetteError` if there is nothing, if the cassette is being recorded, or cannot be written.
    """
    layout, left = _found(Path(os.path.abspath(path)))  # noqa: PTH100  resolve() would follow links
    gate = Gate(layout.path)
    with gate.passed():
        hold = Hold(gate, Holder(os.getpid(), "adopt"))
        try:
            new = LineLayout(left).read()
            try:
                others = adopt(layout, new, caps=Capabilities({}, adapters.installed()).of)
            finally:
                new.close()
            left.unlink()
        finally:
            hold.end()
    return Rescued(layout.path, left, len(new), others)


def validate(cassette: str | os.PathLike[str]) -> list[CassetteError]:
    """See `intercept.validate`."""
    path = Path(os.fspath(cassette))
    return faults(Location(path, folder=path.is_dir()))


def _found(path: Path) -> tuple[Layout, Path]:
    """Return the cassette and the file that a recording left beside it, by the path of either."""
    layout = layout_of(Location(path, folder=path.is_dir()))
    left = next((left for left in layout.left() if os.path.lexists(left)), None)
    if left is not None:
        return layout, left
    if not path.is_file():
        raise CassetteError(str(path), "no recording was left behind here, and there is no such file")
    found = LineLayout(path).read()
    found.close()
    if found.header.mode is None or found.header.cassette is None:
        raise CassetteError(str(path), "this is a cassette itself, and no recording was left behind beside it")
    return _cassette_of(path, found.header.cassette), path


def _cassette_of(left: Path, name: str) -> Layout:
    """Return the cassette that a recording's file names: it lies beside the file, or around it."""
    if not name:
        return layout_of(Location(left.parent, folder=True))
    cassette = Path(os.path.abspath(left.parent / name))  # noqa: PTH100
    fits, moved = cassette.parent == left.parent, False
    try:
        with contextlib.suppress(FileNotFoundError):
            moved = os.path.samestat(cassette.stat(), left.stat())
    except (OSError, ValueError):
        fits = False
    if not fits:
        raise CassetteError(str(left), f"cassette: {name!r:.80} is no name for a file beside this one")
    if moved:
        raise CassetteError(str(left), "this recording is in its place already; it replays as it is")
    return layout_of(Location(cassette))
