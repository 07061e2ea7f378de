"""One scenario run three times: without us, recorded, and replayed with no key and no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import intercept
from intercept.loopback import Answer, Provider
from intercept.session import Session
from tests.conformance.callers import Caller, Scenario
from tests.conformance.outcomes import seen
from tests.conftest import Canary

Options = Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Played:
    """What the three runs gave, and the two sessions."""

    unpatched: Any
    recorded: Any
    replayed: Any
    recording: Session
    replay: Session

    @property
    def statuses(self) -> list[int | None]:
        """The status of each attempt in replay."""
        return [call.status for call in self.replay.calls]


@dataclass(frozen=True)
class Stage:
    """A provider, an address that must stay untouched, and a place for a cassette."""

    provider: Provider
    canary: Canary
    cassette: Path

    def live(self, caller: Caller, scenario: Scenario, answers: Sequence[Answer] = (), options: Options = dict) -> Any:
        """Run a scenario against the provider, which knows of nothing before."""
        self.provider.reset()
        self.provider.answer(*answers)
        return seen(caller.run(scenario, caller.client(self.provider.url, **options())))

    def recorded(
        self, caller: Caller, scenario: Scenario, answers: Sequence[Answer] = (), options: Options = dict, **door: Any
    ) -> tuple[Any, Session]:
        """Record a scenario."""
        with intercept.use_cassette(self.cassette, mode="record", **door) as session:
            return self.live(caller, scenario, answers, options), session

    def replayed(self, caller: Caller, scenario: Scenario, options: Options = dict) -> tuple[Any, Session]:
        """Replay a scenario."""
        hits = self.provider.hits
        with intercept.use_cassette(self.cassette) as session:
            result = seen(caller.run(scenario, caller.client(self.canary.url, key=None, **options())))
        assert self.provider.hits == hits, "a replay asked the provider"
        return result, session

    def play(
        self, caller: Caller, scenario: Scenario, *answers: Answer, options: Options = dict, **door: Any
    ) -> Played:
        """Run a scenario three times; as many requests arrive while recording as without us."""
        unpatched = self.live(caller, scenario, answers, options)
        hits = self.provider.hits
        recorded, recording = self.recorded(caller, scenario, answers, options, **door)
        assert self.provider.hits == hits, "recording changed what the provider is asked"
        replayed, replay = self.replayed(caller, scenario, options)
        return Played(unpatched, recorded, replayed, recording, replay)

    def agree(self, caller: Caller, scenario: Scenario, *answers: Answer, options: Options = dict, **door: Any) -> Any:
        """Run a scenario three times, and return what it gave each time."""
        played = self.play(caller, scenario, *answers, options=options, **door)
        assert played.recorded == played.unpatched
        assert played.replayed == played.unpatched
        return played.unpatched
