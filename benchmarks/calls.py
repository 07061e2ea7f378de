"""Single calls: what a mode adds to each, beside the SDK alone over a transport in memory."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import intercept
from benchmarks.transport import Answering, ask, client


def a_call(modes: Sequence[str], count: int = 150, rounds: int = 7, cassette: str = "x.jsonl") -> list[float]:
    """Return the seconds that one call takes in each mode, the least of several rounds in turn.

    Every call asks something else; the end of the session, where a recording is put in its place, is shared among them.
    """
    asked = client(Answering())
    took: dict[str, list[float]] = {mode: [] for mode in modes}
    for _ in range(rounds):
        for mode in modes:
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                with intercept.use_cassette(Path(folder, cassette), mode=mode):
                    for number in range(count):
                        ask(asked, f"Question {number}")
                took[mode].append((time.perf_counter() - began) / count)
    return [min(took[mode]) for mode in modes]
