"""Unpatched, recorded and replayed: an application cannot tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import Caller, Scenario
from tests.conformance.operations import cells
from tests.conformance.outcomes import seen
from tests.conftest import Canary


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """One provider for all cells, which starts anew for each run."""
    with Provider() as running:
        yield running


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    """One address for all cells that must stay untouched."""
    trap = Canary()
    yield trap
    trap.close()


@pytest.mark.parametrize(("caller", "scenario"), cells())
def test_unpatched_recorded_and_replayed_are_equal(
    caller: Caller, scenario: Scenario, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Equal objects, as many requests while recording as without us, and none in replay: no key, no network."""
    unpatched, hits = _once(caller, scenario, provider)
    with intercept.use_cassette(cassette, mode="record"):
        recorded, recorded_hits = _once(caller, scenario, provider)
    dialled = canary.connections
    with intercept.use_cassette(cassette) as session:
        replayed = seen(caller.run(scenario, caller.client(canary.url, key=None)))

    assert recorded == unpatched
    assert replayed == unpatched
    assert recorded_hits == hits == len(session.calls)
    assert provider.hits == hits
    assert canary.connections == dialled
    assert {played.end for played in session.calls} == {"complete"}


def _once(caller: Caller, scenario: Scenario, provider: Provider) -> tuple[Any, int]:
    provider.reset()
    result = seen(caller.run(scenario, caller.client(provider.url)))
    return result, provider.hits
