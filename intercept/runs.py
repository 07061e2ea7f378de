"""What belongs to one run of a test session: its root folder, its id, and the test that runs.

Its processes, workers and children, know it by its id in the environment. The first clean recording of a cassette in a
run replaces it, later ones add to it: parametrised tests, loops, two tests on one name. Their rows say whose they are,
so that each gets its own back, alone or in any order. Outside of a run every session stands for itself.
"""

from __future__ import annotations

import os
import re
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final


@dataclass
class Run:
    """One run, from its runner's start to its end."""

    root: Path
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    opened: Counter[tuple[str, str, Path]] = field(default_factory=Counter[tuple[str, str, Path]])

    def part(self, mode: str, path: Path) -> str | None:
        """Name the test that opens a cassette now, with a number where it is not the first time; None outside tests.

        The name is for rows and locks: what a parameter holds of secrets is hidden.
        """
        from intercept.redaction import named

        test = running_test()
        if not test:
            return None
        self.opened[test, mode, path] += 1
        times = self.opened[test, mode, path]
        return named(test) + (f" #{times}" if times > 1 else "")

    def begin(self, test: str) -> None:
        """Start a test, which may have run before: a plugin may repeat it."""
        for key in [key for key in self.opened if key[0] == without_group(test)]:
            del self.opened[key]


VARIABLE: Final = "INTERCEPT_RUN"

_GROUPED: Final = re.compile(r"(.*::[^\[@]+(?:\[.*\])?)@[^\]]*", re.DOTALL)

current: Run | None = None
"""The run of this process, if a runner announced one here."""


_joined: Final[dict[str, Run]] = {}


def joined() -> Run | None:
    """Return the run that this process belongs to: its own, or the one that its parent told it of."""
    told = os.environ.get(VARIABLE)
    if current is not None or not told:
        return current
    return _joined.setdefault(told, Run(Path.cwd(), told))


def running_test() -> str:
    """Return the id of the test that pytest runs, `tests/test_it.py::test_it[1]`; empty if it runs none."""
    return without_group(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])


def without_group(test: str) -> str:
    """Return the id of a test as it is everywhere: workers of pytest-xdist may add its group, `...[1]@group`."""
    found = _GROUPED.fullmatch(test)
    return found[1] if found else test
