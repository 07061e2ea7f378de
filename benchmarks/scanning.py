"""Scanning: megabytes in a second, of real recordings where there are some, of our own rows, and of plain text."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks import opening
from intercept.scan import Scanner, walk

_ROOT = Path(__file__).parents[1]


def speeds(rounds: int = 3) -> Mapping[str, tuple[int, float]]:
    """Return bytes, and seconds in the best of several rounds, by what is scanned."""
    real = Path(os.environ.get("INTERCEPT_REALDATA") or _ROOT.parent / "shared" / "realdata")
    found = {"this project's source": _best([_ROOT / "intercept", _ROOT / "adapters"], rounds)}
    if real.is_dir():
        found["recordings of other tools"] = _best([real], rounds)
    with opening.long_cassette() as path:
        found["a long cassette"] = _best([path], rounds)
    return found


def _best(paths: list[Path], rounds: int) -> tuple[int, float]:
    scanner = Scanner(())
    files = [walked.path for walked in walk(paths)]
    took: list[float] = []
    size = 0
    for _ in range(rounds):
        began = time.process_time()
        size = sum(scanner.scan(file)[1] for file in files)
        took.append(time.process_time() - began)
    return size, min(took)
