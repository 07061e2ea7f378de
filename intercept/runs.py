"""What belongs to one run of a test session: its root folder, and the cassettes it has recorded.

The first clean recording of a cassette in a run replaces it, later ones add to it: parametrised tests, loops, two tests
on one name. Outside of a run every session stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Run:
    """One run, from its runner's start to its end."""

    root: Path
    recorded: set[Path] = field(default_factory=set["Path"])


current: Run | None = None
"""The run of this process, if a runner announced one."""
