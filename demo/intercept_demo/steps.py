"""The steps of the agent, and one run of them under a session."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from intercept.spi import Usage
from intercept_demo import agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from intercept import Session


@dataclass(frozen=True, slots=True)
class Models:
    """Whom the agent asks."""

    openai: str = "gpt-4.1-mini"
    anthropic: str = "claude-haiku-4-5"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the agent does, and the SDK's methods it does it by."""

    title: str
    method: str
    run: Callable[[Models], agent.Got]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one step brought in one run, or why it failed, and what it cost: requests, seconds, tokens."""

    got: agent.Got | Exception
    hits: int
    seconds: float
    usage: Usage


TEXTS: Final = ("Rain.", "Rain in Lisbon.", "Rain in Lisbon, and no umbrella.")
STEPS: Final = (
    Step("Tool loop", "openai chat.completions.create", lambda models: agent.advise(models.openai, "Lisbon")),
    Step(
        "Stream, delta by delta", "anthropic messages.stream", lambda models: agent.describe(models.anthropic, "Lisbon")
    ),
    Step("Structured answer", "openai chat.completions.parse", lambda models: agent.plan(models.openai, "Lisbon")),
    Step(
        "Three at once, async", "anthropic messages.count_tokens", lambda models: agent.measure(models.anthropic, TEXTS)
    ),
)


def take(step: Step, models: Models, session: Session, hits: Callable[[Session], int]) -> Outcome:
    """Take one step; what it raises is its outcome too."""
    calls, hits_before, began = len(session.calls), hits(session), time.perf_counter()
    got: agent.Got | Exception
    try:
        got = step.run(models)
    except Exception as error:  # noqa: BLE001  the caller tells of it
        got = error
    seconds = time.perf_counter() - began
    usage = _sum(played.usage for played in session.calls[calls:])
    return Outcome(got, hits(session) - hits_before, seconds, usage)


def _sum(usages: Iterable[Usage | None]) -> Usage:
    known = [usage for usage in usages if usage is not None]
    return Usage(input=sum(usage.input for usage in known), output=sum(usage.output for usage in known))
