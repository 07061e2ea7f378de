"""One scenario in all three runs, and what each of them left."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import Caller, Scenario
from tests.conformance.stage import Stage

Mode = Literal["off", "record", "replay"]
MODES: tuple[Mode, ...] = ("off", "record", "replay")
_TRUNCATED = "ended without its terminal"


@dataclass
class Runs:
    """The runs of one test on its stage: `mode` is that of the latest, `calls` are those of each mode's latest."""

    stage: Stage
    mode: Mode = "off"
    calls: dict[Mode, list[Any]] = field(default_factory=dict[Mode, "list[Any]"])
    remarks: list[str] = field(default_factory=list[str])

    @property
    def provider(self) -> Provider:
        """Who is asked."""
        return self.stage.provider

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the cassette."""
        return [json.loads(line) for line in self.stage.cassette.read_bytes().split(b"\n")[1:] if line]

    def elsewhere(self, name: str) -> Runs:
        """Return the same with another cassette, and nothing run yet."""
        return Runs(replace(self.stage, cassette=self.stage.cassette.with_name(f"{name}.jsonl")))

    def once(self, mode: Mode, caller: Caller, scenario: Scenario, *answers: Answer) -> Any:
        """Run a scenario in one mode; the SDK tries nothing again, and does not wait for ever."""
        self.mode = mode
        with self._noting():
            if mode == "off":
                return self.stage.live(caller, scenario, answers, _impatient)
            if mode == "record":
                outcome, session = self.stage.recorded(caller, scenario, answers, _impatient)
            else:
                outcome, session = self.stage.replayed(caller, scenario, _impatient)
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


def _impatient() -> dict[str, Any]:
    return {"max_retries": 0, "timeout": 20}
