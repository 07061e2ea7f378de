"""What a program asks in processes that it forks, and what is kept of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from intercept.cassette.layouts import layout_of
from intercept.paths import Location
from tests.core.children import Report
from tests.core.recording import SYNC, asking


def answered(report: Report, url: str, *texts: str) -> None:
    """Ask these questions by a client of this process' own, and report each answer that has come."""
    for answer in SYNC.run(asking(*texts), SYNC.client(url)):
        report(answer)


def forked(report: Report, url: str, *texts: str) -> int:
    """Fork a child that asks these questions and ends at once; return its number."""
    child = os.fork()
    if child == 0:
        try:
            answered(report, url, *texts)
        finally:
            os._exit(0)
    return child


def wait_for(*children: int) -> None:
    """Wait for the end of forked children, which must be a normal one."""
    for child in children:
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0


def kept(place: Path, *, gaps: bool = False) -> list[str]:
    """Return the answers that a cassette holds; those of equal requests must have numbers of their own."""
    cassette = layout_of(Location(place, folder=place.is_dir())).read()
    found: list[str] = []
    for group in cassette.groups.values():
        numbers = [row.occurrence for row in group]
        assert len({*numbers}) == len(numbers)
        assert gaps or numbers == list(range(len(group)))
        for row in group:
            (event,) = json.loads(bytes(cassette.row(row).events))
            found.append(event["json"]["choices"][0]["message"]["content"])
    cassette.close()
    return found
