"""One scenario three ways: without a session, recorded, and replayed."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import KEY, Caller, Scenario
from tests.conformance.outcomes import seen
from tests.conftest import Canary

Mode = Literal["off", "record", "replay"]
MODES: tuple[Mode, ...] = ("off", "record", "replay")
_TRUNCATED = "ended without its terminal"


@dataclass
class Runs:
    """The runs of one test, and what they left: `calls` and `remarks` of each mode, and the rows of the cassette."""

    provider: Provider
    canary: Canary
    cassette: Path
    mode: Mode = "off"
    calls: dict[Mode, list[Any]] = field(default_factory=dict[Mode, "list[Any]"])
    remarks: list[str] = field(default_factory=list[str])

    def once(self, mode: Mode, caller: Caller, scenario: Scenario, *answers: Answer) -> Any:
        """Run a scenario in one mode; in replay nobody answers, and there is no key."""
        self.mode = mode
        live = mode != "replay"
        if live:
            self.provider.reset()  # it counts its answers, and words them by the count
            self.provider.answer(*answers)
        with self._noting(), intercept.use_cassette(self.cassette, mode=mode) as session:
            url = self.provider.url if live else self.canary.url
            client = caller.client(url, key=KEY if live else None, max_retries=0)
            outcome = seen(caller.run(scenario, client))
        self.calls[mode] = session.calls
        return outcome

    def compare(self, caller: Caller, scenario: Scenario, *answers: Answer, ends: Sequence[str] = ("complete",)) -> Any:
        """Return what the application sees unpatched; recorded and replayed it must see the same, and rows end so."""
        unpatched, recorded, replayed = (self.once(mode, caller, scenario, *answers) for mode in MODES)
        assert recorded == unpatched
        assert replayed == unpatched
        assert self.ends("record") == self.ends("replay") == [row["end"] for row in self.rows] == list(ends)
        assert [_TRUNCATED in text for text in self.remarks] == [True for end in ends if end == "truncated"]
        return unpatched

    def ends(self, mode: Mode) -> list[str | None]:
        """Return how the calls of one mode ended."""
        return [played.end for played in self.calls[mode]]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the cassette."""
        return [json.loads(line) for line in self.cassette.read_bytes().split(b"\n")[1:] if line]

    async def left(self) -> None:
        """Wait until the provider has seen all clients leave; in replay there is none to see it."""
        if self.mode != "replay":
            await asyncio.to_thread(self.provider.left.wait, self.provider.hits)

    @contextmanager
    def _noting(self) -> Generator[None, None, None]:
        """Keep our own warnings; any other stays an error."""
        with warnings.catch_warnings(record=True) as told:
            warnings.filterwarnings("always", category=intercept.InterceptWarning)
            yield
        self.remarks += [str(warning.message) for warning in told]
