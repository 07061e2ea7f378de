"""Unpatched, recorded and replayed: an application cannot tell them apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import Caller, Scenario
from tests.conformance.operations import cells
from tests.conformance.outcomes import seen
from tests.conftest import Canary


@pytest.mark.parametrize(("caller", "scenario"), cells())
def test_unpatched_recorded_and_replayed_are_equal(
    caller: Caller, scenario: Scenario, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Equal objects, as many requests while recording as without us, and none in replay: no key, no network."""
    unpatched = _once(caller, scenario, provider)
    hits = provider.hits
    provider.reset()
    with intercept.use_cassette(cassette, mode="record"):
        recorded = _once(caller, scenario, provider)
    recorded_hits = provider.hits
    with intercept.use_cassette(cassette) as session:
        replayed = seen(caller.run(scenario, caller.client(canary.url, key=None)))

    assert recorded == unpatched
    assert replayed == unpatched
    assert recorded_hits == hits == len(session.calls)
    assert provider.hits == hits
    assert {played.end for played in session.calls} == {"complete"}


def _once(caller: Caller, scenario: Scenario, provider: Provider) -> Any:
    return seen(caller.run(scenario, caller.client(provider.url)))
