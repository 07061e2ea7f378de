"""Prints what recording costs, beside the SDK without us, and what opening and scanning a long cassette do."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from benchmarks import calls, opening, redaction, scanning, streams

_RECORDING = ("record", "update", "extend")


def main() -> None:
    """Measure and print."""
    console = Console()
    console.print(_streams())
    console.print(_calls())
    console.print(_opening())
    console.print(_scanning())
    console.print(_rules())
    console.print(_redaction())


def _streams() -> Table:
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
    return table


def _calls() -> Table:
    table = Table("what", "SDK alone", "with it", "added", "bar")
    for layout, cassette in (("a file", "x.jsonl"), ("a folder", "x/")):
        plain, *took = calls.a_call(["off", *_RECORDING], cassette=cassette)
        for mode, seconds in zip(_RECORDING, took, strict=True):
            bar = "0.50 ms" if mode == "record" else ""
            table.add_row(f"one call, {mode}, {layout}", _ms(plain), _ms(seconds), _ms(seconds - plain), bar)
    return table


def _opening() -> Table:
    table = Table(f"{opening.ROWS} rows", "by `json` alone", "replay", "ratio", "bar")
    with opening.long_cassette() as path:
        opened, first, read = opening.seconds(path)
        missed = opening.a_miss(path)
        allocated, resident = opening.memory(path, "session")
        allocated_by_json, resident_by_json = opening.memory(path, "json")
        size = path.stat().st_size
    table.add_row(f"open {_mb(size)}", _ms(read), _ms(opened), f"{opened / read:.2f}x", "150 ms")
    table.add_row("first answer after it", "", _ms(first), "", "5 ms")
    table.add_row("a miss, which names the nearest", "", _ms(missed), "", "500 ms")
    for what, alone, ours in (
        ("peak of memory, as Python counts", allocated_by_json, allocated),
        ("peak of memory, as the system counts", resident_by_json, resident),
    ):
        table.add_row(what, _mb(alone), _mb(ours), f"{ours / alone:.2f}x", "40 MB")
    return table


def _scanning() -> Table:
    table = Table("scan", "size", "in a second", "bar")
    for what, (size, seconds) in scanning.speeds().items():
        table.add_row(what, _mb(size), _mb(round(size / seconds)), "5 MB")
    return table


def _rules() -> Table:
    table = Table("rule", "worst of hostile texts of 100 KB", "bar")
    for label, seconds in redaction.rules():
        table.add_row(label, _ms(seconds), "50 ms")
    return table


def _redaction() -> Table:
    table = Table("what", "SDK alone", "redaction", "bar")
    alone, redacted = redaction.a_call()
    table.add_row("a call of 1.1 KB", _us(alone), f"{_us(redacted)} ({redacted / alone:.1%})", "10%")
    for what, text in redaction.TEXTS:
        table.add_row(f"a request of 2 MB, {what}", "", f"{_mb(int(redaction.throughput(text)))}/s", "")
    return table


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _us(seconds: float) -> str:
    return f"{seconds * 1_000_000:.1f} us"


def _mb(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


if __name__ == "__main__":
    main()
