"""Cassettes of the past go on to replay: those committed here, on every supported SDK, sync and async.

`pytest tests/conformance/test_committed.py --intercept=record` makes them anew against the provider on this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.cassette.lines import read
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, Scenario
from tests.conformance.operations import chat, client_level, embeddings_moderations, messages, responses
from tests.conformance.outcomes import seen
from tests.conftest import Canary

FOLDER = Path(__file__).parents[2] / "cassettes"
CELLS: list[Any] = [
    pytest.param(caller, scenario, id=f"{caller}-{scenario.__name__}")
    for caller in CALLERS
    for scenario in (
        client_level.create,
        client_level.create_stream,
        *(
            (chat.chat_parse, chat.chat_tool_loop, responses.responses_stream, embeddings_moderations.embeddings)
            if caller.sdk == "openai"
            else (messages.message_tool_loop, messages.message_text_stream, messages.count_tokens)
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
