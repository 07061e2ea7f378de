"""What stands behind `intercept adopt` and `intercept.validate`: cassettes looked after by people."""

from __future__ import annotations

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
    header = LineLayout(path).read().header
    if header.mode is None or header.cassette is None or "/" in header.cassette:
        raise CassetteError(str(path), "this is a cassette itself, and no recording was left behind beside it")
    if header.cassette:
        return layout_of(Location(path.with_name(header.cassette))), path
    return layout_of(Location(path.parent, folder=True)), path
