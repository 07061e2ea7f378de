"""Server-sent events: one event as the bytes of one chunk."""

from __future__ import annotations

from intercept.loopback.jsontypes import compact


def frame(name: str | None, data: object) -> bytes:
    r"""One event; a string goes as it is (one ``data:`` line per line), all else as compact JSON."""
    text = data if isinstance(data, str) else compact(data)
    lines = [] if name is None else [f"event: {name}"]
    lines += [f"data: {line}" for line in text.split("\n")]
    return ("\n".join(lines) + "\n\n").encode()
