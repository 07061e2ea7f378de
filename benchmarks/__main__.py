"""Prints what recording costs a stream, beside the same stream without us."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from benchmarks import streams


def main() -> None:
    """Measure and print."""
    table = Table("what", "SDK alone", "recording", "bar")
    plain, recorded = streams.first_delta("off"), streams.first_delta("record")
    table.add_row("first delta of a 0.54 s stream", _ms(plain), _ms(recorded), f"{_ms(plain + 0.005)}")
    plain, recorded = streams.an_event(["off", "record"])
    table.add_row("one event", _us(plain), f"{_us(recorded)} ({recorded / plain:.2f}x)", "nothing measurable")
    peak, events = streams.memory("record")
    alone, _ = streams.memory("off")
    table.add_row(
        "peak of memory, 100 MB stream", _mb(alone), f"{_mb(peak)} ({peak / events:.2f}x its events)", "1.10x"
    )
    Console().print(table)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _us(seconds: float) -> str:
    return f"{seconds * 1_000_000:.1f} us"


def _mb(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


if __name__ == "__main__":
    main()
