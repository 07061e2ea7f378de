"""The demo itself: one run that records, one that replays with nothing around it, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intercept import ConfigError, use_cassette
from intercept_demo.compare import differences
from intercept_demo.environment import CREDENTIALS, MODE, OUTSIDE, environment
from intercept_demo.offline import cut_off
from intercept_demo.sources import real, stand_in
from intercept_demo.steps import STEPS, Models, Outcome, Step, take

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from intercept_demo.sources import Source


@dataclass(frozen=True, slots=True)
class Demo:
    """Both runs, step by step, and what else was seen."""

    steps: tuple[Step, ...]
    recorded: tuple[Outcome, ...]
    replayed: tuple[Outcome, ...]
    attempts: tuple[str, ...]  # to reach the network while replaying
    cassette: Path
    leaked: bool  # whether a key stands in the cassette

    def differences(self) -> list[str]:
        """Tell what did not go as promised; empty for a good end."""
        found = [
            f"{step.title}: {text}"
            for step, before, after in zip(self.steps, self.recorded, self.replayed, strict=True)
            for text in differences(before, after)
        ]
        if self.attempts:
            found.append(f"the replay tried to reach the network: {', '.join(self.attempts)}")
        if self.leaked:
            found.append(f"a key stands in {self.cassette}")
        return found


def play(
    cassette: Path,
    models: Models,
    *,
    live: bool,
    steps: Sequence[Step] = STEPS,
    progress: Callable[[str], object] = lambda _: None,
) -> Demo:
    """Record the agent, then replay it without keys, providers or sockets; the environment is as before afterwards.

    Raises `ConfigError` where a provider cannot be reached or refuses.
    """
    with environment(without=MODE if live else OUTSIDE):
        with real() if live else stand_in(models) as source:
            recorded = _record(cassette, models, source, steps, progress)
        with environment(without=CREDENTIALS), cut_off() as attempts:
            replayed: list[Outcome] = []
            # What the agent did not get is told step by step, so the session need not fail as well.
            with use_cassette(cassette, mode="replay", verify=False) as session:
                for step in steps:
                    progress(f"replaying: {step.title}")
                    replayed.append(take(step, models, session, source.hits))
    content = cassette.read_bytes()
    leaked = any(key.encode() in content for key in source.keys)
    return Demo(tuple(steps), tuple(recorded), tuple(replayed), tuple(attempts), cassette, leaked)


def _record(
    cassette: Path, models: Models, source: Source, steps: Sequence[Step], progress: Callable[[str], object]
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    with use_cassette(cassette, mode="record") as session:
        for step in steps:
            progress(f"recording: {step.title}")
            outcomes.append(take(step, models, session, source.hits))
            if isinstance(failed := outcomes[-1].got, Exception):
                raise _cannot_record(step, failed, source) from failed
    return outcomes


def _cannot_record(step: Step, error: Exception, source: Source) -> ConfigError:
    text = f"{type(error).__name__}: {error}"
    for key in source.keys:
        text = text.replace(key, "[REDACTED]")
    return ConfigError(f'the step "{step.title}" could not be recorded: {text}')
