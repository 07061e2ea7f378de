"""Streams: when the first delta arrives, what each event costs, and what a long one takes of memory."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai

import intercept
from benchmarks.transport import Transport, client, delta


@contextmanager
def _cassette() -> Generator[Path, None, None]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "x.jsonl"


def _deltas(asked: openai.OpenAI) -> Iterator[object]:
    question: Any = [{"role": "user", "content": "hi"}]
    return iter(asked.chat.completions.create(model="no-model", messages=question, stream=True))


def first_delta(mode: str, rounds: int = 9) -> float:
    """Return the seconds to the first delta of a stream that takes 0.54, the median of several."""
    took: list[float] = []
    for _ in range(rounds):
        with _cassette() as path, intercept.use_cassette(path, mode=mode):
            asked = client(Transport(count=27, pause=0.02))
            began = time.perf_counter()
            deltas = _deltas(asked)
            next(deltas)
            took.append(time.perf_counter() - began)
            for _ in deltas:
                pass
    return statistics.median(took)


def an_event(modes: Sequence[str], count: int = 3000, rounds: int = 8) -> list[float]:
    """Return the seconds that one delta of a long stream takes in each mode, the least of several rounds in turn."""
    took: dict[str, list[float]] = {mode: [] for mode in modes}
    for _ in range(rounds):
        for mode in modes:
            with _cassette() as path, intercept.use_cassette(path, mode=mode):
                deltas = _deltas(client(Transport(count=count)))
                next(deltas)
                began = time.perf_counter()
                for _ in range(count - 2):
                    next(deltas)
                took[mode].append((time.perf_counter() - began) / (count - 2))
                for _ in deltas:
                    pass
    return [min(took[mode]) for mode in modes]


def memory(mode: str, count: int = 12_800, size: int = 8_000) -> tuple[int, int]:
    """Return the peak of memory while a stream is read (100 MB as it stands), and the size of the list of its events.

    Bytes, both; the events are not kept by the reader.
    """
    with _cassette() as path:
        tracemalloc.start()
        try:
            with intercept.use_cassette(path, mode=mode):
                for _ in _deltas(client(Transport(count, size))):
                    pass
                _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return peak, sys.getsizeof([None] * count) + count * sys.getsizeof(delta(size))
