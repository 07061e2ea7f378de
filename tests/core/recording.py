"""Recording a few questions, asking them again, and what lies in a cassette and beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, Scenario, ask, said
from tests.core.handmade import three_rows

SYNC = CALLERS[0]
UPDATE = pytest.param("update", marks=pytest.mark.slow)
"""The mode that writes as `record` does; it has quick tests of its own."""
OLD = three_rows()
every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def asking(*texts: str) -> Scenario:
    """Return a scenario that asks these questions, one after another."""

    async def asked(client: Any) -> list[str]:
        return [said(await ask(client, text)) for text in texts]

    return asked


def record(
    path: Path, url: str, *texts: str, caller: Caller = SYNC, mode: str = "record", **settings: Any
) -> list[str]:
    """Record these questions; return the answers."""
    with intercept.use_cassette(path, mode=mode, **settings):
        said: list[str] = caller.run(asking(*texts), caller.client(url))
    return said


def record_and_raise(path: Path, url: str, error: BaseException, **settings: Any) -> None:
    """Record a question, and leave with this error."""
    with intercept.use_cassette(path, mode="record", **settings):
        SYNC.run(asking("hi"), SYNC.client(url))
        raise error


def replay(path: Path, url: str, *texts: str, caller: Caller = SYNC) -> list[str]:
    """Ask these questions of a cassette; return the answers."""
    with intercept.use_cassette(path):
        said: list[str] = caller.run(asking(*texts), caller.client(url))
    return said


def partial_file(path: Path) -> Path:
    """Where the rows of a recording lie until it ends."""
    return path.with_name(f"{path.stem}.partial.jsonl")


def failed_file(path: Path) -> Path:
    """Where the rows of a recording that failed are kept when the next one begins."""
    return path.with_name(f"{path.stem}.failed.jsonl")


def questions(path: Path) -> list[str]:
    """Return what was asked in each row, in the order of the file; every line must be whole."""
    _, *rows = path.read_bytes().splitlines(keepends=True)
    assert all(row.endswith(b"\n") for row in rows)
    return [json.loads(row)["request"]["body"]["messages"][0]["content"] for row in rows]


def names(folder: Path) -> list[str]:
    """Return the names of all that lies in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())
