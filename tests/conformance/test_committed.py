"""Cassettes of the past go on to replay: those committed here, on every supported SDK, sync and async.

`pytest tests/conformance/test_committed.py --intercept=record` makes them anew against the provider on this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.cassette.reading import read
from intercept.loopback import Provider
from tests.conformance import operations
from tests.conformance.callers import CALLERS, Caller, Scenario
from tests.conformance.outcomes import seen
from tests.conftest import Canary

FOLDER = Path(__file__).parents[2] / "cassettes"
CELLS: list[Any] = [
    pytest.param(caller, scenario, id=f"{caller}-{scenario.__name__}")
    for caller in CALLERS
    for scenario in (
        operations.create,
        operations.create_stream,
        *(
            (operations.chat_parse, operations.chat_tool_loop, operations.responses_stream, operations.embeddings)
            if caller.sdk == "openai"
            else (operations.message_tool_loop, operations.message_text_stream, operations.count_tokens)
        ),
    )
]


@pytest.mark.parametrize(("caller", "scenario"), CELLS)
def test_a_committed_cassette_replays(caller: Caller, scenario: Scenario, provider: Provider, canary: Canary) -> None:
    """Whole, to the objects of the installed SDK, with every row used once."""
    path = FOLDER / caller.sdk / f"{getattr(scenario, '__name__', '')}.jsonl"
    with intercept.use_cassette(path) as session:
        url = canary.url if session.mode == "replay" else provider.url
        result = caller.run(scenario, caller.client(url))

    assert seen(result)
    assert len(session.calls) == len(read(path))
    assert {played.status for played in session.calls} == {200}
