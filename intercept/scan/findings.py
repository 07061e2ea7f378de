"""What a scan tells: places and kinds, never a secret or a part of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, order=True)
class Finding:
    """One secret: where it is, and of which kind; `part` tells where in a cassette that is, in fixed words."""

    path: Path
    line: int
    column: int
    label: str
    part: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A file that could not be scanned, and why."""

    path: Path
    why: str


@dataclass
class Report:
    """All that one scan tells."""

    findings: list[Finding] = field(default_factory=list["Finding"])
    unreadable: list[Unreadable] = field(default_factory=list["Unreadable"])
    files: int = 0
    size: int = 0

    @property
    def exit_code(self) -> int:
        """2 where a file could not be read, 1 with findings or without any file, else 0."""
        if self.unreadable:
            return 2
        return 1 if self.findings or not self.files else 0
