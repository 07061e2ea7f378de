"""The first lines of a cassette in short form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console

LINES: Final = 5


def excerpt(console: Console, cassette: Path) -> None:
    """Show where the cassette lies and how it begins."""
    content = cassette.read_bytes()
    lines = content.splitlines()
    console.print(Text(f"The cassette: {cassette}"), soft_wrap=True)
    console.print(Text(f"{len(lines)} lines, {len(content) / 1000:.1f} kB, the first of them in short:"))
    for number, line in enumerate(lines[:LINES], 1):
        short = "  ".join(_short(json.loads(line)))
        console.print(Text(f"  {number}  {short}", style="dim"), overflow="ellipsis", no_wrap=True)
    console.print()


def _short(line: dict[str, Any]) -> Iterator[str]:
    if "sdks" in line:
        yield f"{line['kind']} v{line['v']}"
        yield ", ".join(f"{name} {version}" for name, version in line["sdks"].items())
        return
    count = len(line["events"])
    yield f"{line['adapter']:<9}"
    yield f"{line['operation']:<22}"
    yield f"{line['model']:<16}"
    yield f"{line['status']}"
    yield f"{count} event{'s' * (count != 1)}"
