"""Opening a long cassette to replay it: how long that takes, what it takes of memory, and how soon a call is answered.

What concerns memory is measured in a process of its own, which this module is the program of.
"""

from __future__ import annotations

import contextlib
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import intercept
from benchmarks.transport import Refusing, answer, ask, client
from intercept.answers import Array
from intercept.cassette import format as form
from intercept.identity import identified
from intercept.redaction import Redactor, Redactors
from intercept.redaction.positions import NOWHERE
from intercept.spi import Call, Caps, Usage

ROWS: Final = 10_000
_WORDS: Final = "the quick brown fox jumps over the lazy dog and "
_CAPS: Final = Caps(context_window=128_000, max_output=16_384, tools=True, source="a list")
_STATUS: Final = Path("/proc/self/status")


@contextmanager
def long_cassette(rows: int = ROWS) -> Generator[Path, None, None]:
    """Give a cassette of this many different questions, 1.6 KB each with its answer, as a recording writes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        with path.open("wb") as file:
            file.write(form.header(form.Origin({"openai": "3.57.0"}, Redactors().fingerprint)))
            for number in range(rows):
                file.writelines(_row(question(number)))
        yield path


def question(number: int) -> str:
    """Return the text that one row answers."""
    return f"Question {number}: {_WORDS * 5}"


def _row(text: str) -> list[bytes]:
    body: Any = {"messages": [{"role": "user", "content": text}], "model": "no-model"}
    call = Call("openai", "openai", "POST /chat/completions", "POST", "/chat/completions", body=body, model="no-model")
    call, request_hash, _ = identified(call, Redactor(), NOWHERE)
    events = Array()
    events.add({"json": answer()})
    return form.row(
        form.Exchange(
            call=call,
            request_hash=request_hash,
            occurrence=0,
            status=200,
            headers=(("content-type", "application/json"), ("x-request-id", f"req_{request_hash[:32]}")),
            events=events.end(),
            end="complete",
            usage=Usage(input=9, output=9),
            usage_semantics="openai-cache-subset-v1",
            caps=_CAPS,
        )
    )


def seconds(path: Path, rounds: int = 7) -> tuple[float, float, float]:
    """Return what it takes to open the cassette, to get the first answer out of it, and to read it by `json` alone.

    The medians; the SDK and all else is loaded before.
    """
    asked = client(Refusing())
    opening: list[float] = []
    first: list[float] = []
    reading: list[float] = []
    for number in range(rounds + 1):  # the first time loads what is needed
        reading.append(_timed(lambda: sum(1 for _ in _parsed(path))))
        door = intercept.use_cassette(path)
        opening.append(_timed(door.__enter__))
        try:
            first.append(_timed(partial(ask, asked, question(number))))
        finally:
            door.__exit__(None, None, None)
    return statistics.median(opening[1:]), statistics.median(first[1:]), statistics.median(reading[1:])


def a_miss(path: Path, rounds: int = 5) -> float:
    """Return the seconds from a question that was never recorded to the error that names the nearest recording."""
    asked = client(Refusing())
    took: list[float] = []

    def missed(number: int) -> None:
        with contextlib.suppress(intercept.NeverRecorded):
            ask(asked, f"{question(number)}, or is it")

    for number in range(rounds):
        with intercept.use_cassette(path, verify=False):
            took.append(_timed(partial(missed, number)))
    return statistics.median(took)


def _timed(action: Callable[[], Any]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def _parsed(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        for line in file:
            yield json.loads(line)


def memory(path: Path, how: str) -> tuple[int, int]:
    """Return the bytes that Python's allocator, and the system, had to give at most while a cassette is opened.

    `how` is `session` for that, or `json` for keeping all its rows as `json` reads them.
    """
    told = [_measured(path, how, meter) for meter in ("allocated", "resident")]
    return told[0], told[1]


def _measured(path: Path, how: str, meter: str) -> int:
    ended = subprocess.run(  # noqa: S603  ourselves
        [sys.executable, "-m", "benchmarks.opening", str(path), how, meter], capture_output=True, text=True, check=True
    )
    return int(ended.stdout)


def _main(path: Path, how: str, meter: str) -> None:
    with long_cassette(rows=1) as short:  # loads what is needed
        _open(short, how)
    before = _most()
    if meter == "resident":
        _open(path, how)
        growth = _most() - before
    else:
        tracemalloc.start()
        _open(path, how)
        growth = tracemalloc.get_traced_memory()[1]
    sys.stdout.write(str(growth))


def _most() -> int:
    """Return the most bytes this process has had; what the system counts for `getrusage` begins with its parent's."""
    if not _STATUS.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = next(line for line in _STATUS.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM:"))
    return int(told.split()[1]) * 1024


def _open(path: Path, how: str) -> None:
    if how == "json":
        kept = list(_parsed(path))
        assert kept
        return
    with intercept.use_cassette(path):
        pass


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
