"""The table: every operation of either SDK, in every way an application makes it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, Scenario, ask
from tests.conformance.versions import skip_as_it_lacks

SDK: TypeAlias = Literal["openai", "anthropic"]

DEPRECATED = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""For what an SDK still has, but warns of."""


@dataclass(frozen=True)
class Operation:
    """One row: what is done, by which SDK, and what pytest should know of it."""

    sdk: SDK
    name: str
    scenario: Scenario
    marks: tuple[pytest.MarkDecorator, ...]


_ROWS: list[Operation] = []


def enter(sdk: SDK, name: str, scenario: Scenario, marks: tuple[pytest.MarkDecorator, ...]) -> None:
    """Enter a row."""
    if any((row.sdk, row.name) == (sdk, name) for row in _ROWS):
        raise ValueError(f"{sdk} has two operations called {name}")
    _ROWS.append(Operation(sdk, name, scenario, marks))


def operation(sdk: SDK, *marks: pytest.MarkDecorator, needs: str = "") -> Callable[[Scenario], Scenario]:
    """Enter a scenario under its own name; a client that has nothing at the path `needs` skips it."""

    def enter_it(scenario: Scenario) -> Scenario:
        enter(sdk, _name(scenario), _offered(scenario, needs), marks)
        return scenario

    return enter_it


def local(sdk: SDK, *, needs: str) -> Callable[[Scenario], Scenario]:
    """Enter work that asks no provider: it is done beside one question, and must not count as a call."""

    def enter_it(scenario: Scenario) -> Scenario:
        async def beside_a_question(client: Any) -> Any:
            answer = await ask(client)
            before = _calls()
            result = await scenario(client)
            assert _calls() == before
            return [answer, result]

        enter(sdk, _name(scenario), _offered(beside_a_question, needs), ())
        return scenario

    return enter_it


def cells() -> list[Any]:
    """Return every operation with each caller that can make it, as pytest parameters."""
    return [
        pytest.param(caller, row.scenario, id=f"{caller}-{row.name}", marks=[*row.marks, *_slow(caller, row.name)])
        for caller in CALLERS
        for row in _ROWS
        if row.sdk == caller.sdk
    ]


def _slow(caller: Caller, name: str) -> list[pytest.MarkDecorator]:
    """Leave views of an operation that both callers share to the slow tests, for one of them."""
    view = name.partition("-")[2]
    return [pytest.mark.slow] if caller.is_async and view not in ("", "plain", "stream") else []


def has(client: Any, path: str) -> bool:
    """Whether the client has something at a dotted path."""
    for step in path.split("."):
        if not hasattr(client, step):
            return False
        client = getattr(client, step)
    return True


def _name(scenario: Scenario) -> str:
    return str(getattr(scenario, "__name__", ""))


def _offered(scenario: Scenario, needs: str) -> Scenario:
    if not needs:
        return scenario

    @functools.wraps(scenario)
    async def if_offered(client: Any) -> Any:
        if not has(client, needs):
            skip_as_it_lacks(client, needs)
        return await scenario(client)

    return if_offered


def _calls() -> int:
    session = intercept.current_session()
    return 0 if session is None else len(session.calls)
