"""Cassettes written by hand: a reader is judged by the format, not by our own writer."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Any, Final


class Absent(enum.Enum):
    """Stands for a field that is left out, under a name that is the same in every process."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


def header(**changes: Any) -> bytes:
    """Write line 1, with some of its fields changed."""
    fields = {"kind": "intercept-cassette", "v": 1, "hash_version": 1, "sdks": {"openai": "3.57.0"}, "redaction": "x"}
    return line({**fields, **changes})


def row(text: str = "Zoë", **changes: Any) -> bytes:
    """Write a row with every field, with some of them changed."""
    fields: dict[str, Any] = {
        "adapter": "openai",
        "provider": "openai",
        "operation": "POST /chat/completions",
        "model": "gpt-4o",
        "occurrence": 0,
        "request_hash": "0" * 64,
        "request": {"method": "POST", "path": "/chat/completions", "body": {"input": text}},
        "status": 200,
        "headers": [["content-type", "application/json"]],
        "events": [{"json": {"text": text}}],
        "end": "complete",
        "caps": None,
        "usage": {"input": 1, "cache_read": 0, "cache_write": 0, "output": 2, "reasoning": 0},
        "usage_semantics": "openai-cache-subset-v1",
    }
    return line({**fields, **changes})


def line(fields: dict[str, Any]) -> bytes:
    """Write one line."""
    kept = {name: value for name, value in fields.items() if value is not ABSENT}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def three_rows() -> bytes:
    """Return a small cassette of three rows, two of them of one request."""
    return header() + row("Zoë") + row("你好", occurrence=1) + row("👋", request_hash="1" * 64)


def edited(path: Path, number: int, **changes: Any) -> None:
    """Change fields of one line of a cassette, by its number."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number - 1] = line({**json.loads(lines[number - 1]), **changes})
    path.write_bytes(b"".join(lines))


def laid_out(path: Path, *rows: bytes) -> list[str]:
    """Write rows as a cassette, a folder where the path has no suffix; return by what name an error calls each."""
    if path.suffix:
        path.write_bytes(header() + b"".join(rows))
        return [f"{path}:{number}" for number in range(2, 2 + len(rows))]
    path.mkdir()
    files: list[Path] = []
    for text in rows:
        key = text.partition(b'"request_hash":"')[2][:64].decode()
        rank = 1 + sum(file.name.startswith(key) for file in files)
        files.append(path / (f"{key}.json" if rank == 1 else f"{key}.{rank}.json"))
        files[-1].write_bytes(row_file(text))
    return [str(file) for file in files]


def row_file(text: bytes, **changes: Any) -> bytes:
    """Write the file of a row in a cassette that is a folder, with some of what it tells beside the row changed."""
    facts = line({"v": 1, "hash_version": 1, "redaction": "x", "sdks": {"openai": "3.57.0"}, **changes})
    return facts[:-2] + b"," + text[1:]
