"""A stream while it runs: every event is here when the provider sends it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, each, entered
from tests.conformance.streams.runs import Mode, Runs
from tests.conformance.streams.steps import begun, following, rest
from tests.conformance.streams.views import helped, opened


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_whole_stream_is_the_same_in_all_three_runs(caller: Caller, runs: Runs) -> None:
    """Its objects, and its response when it has been read."""

    async def scenario(client: Any) -> Any:
        stream = await ask(client, stream=True)
        return [await each(stream), stream.response.is_closed, stream.response.is_stream_consumed]

    events, closed, consumed = runs.compare(caller, scenario)

    assert events
    assert closed
    assert consumed


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("mode", ["off", "record"])
def test_a_stream_reaches_the_application_event_by_event(caller: Caller, mode: Mode, runs: Runs) -> None:
    """While recording, the application holds each event before the provider may send the next."""
    # The third event of an Anthropic stream is a ping, which the SDK keeps to itself.
    due = [1, 1, 1] if caller.sdk == "openai" else [1, 1, 2]

    async def scenario(client: Any) -> list[int]:
        gate = runs.provider.gate()
        gate.release(due[0])
        iterator = begun(await ask(client, stream=True))
        sent: list[int] = []
        for following_due in (*due[1:], 0):
            await following(iterator)
            sent.append(gate.sent)
            gate.release(following_due)
        gate.open()
        assert await rest(iterator)
        return sent

    assert runs.once(mode, caller, scenario) == [sum(due[:1]), sum(due[:2]), sum(due)]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("view", ["helper", "bytes", "text", "lines"])
@pytest.mark.parametrize("mode", ["off", "record"])
def test_every_view_of_a_stream_is_live(caller: Caller, view: str, mode: Mode, runs: Runs) -> None:
    """The first item is read while the provider holds back the second event."""

    async def scenario(client: Any) -> int:
        gate = runs.provider.gate()
        gate.release()
        async with entered(helped(client) if view == "helper" else opened(client)) as stream:
            iterator = begun(stream if view == "helper" else getattr(stream, f"iter_{view}")())
            await following(iterator)
            sent = gate.sent
            gate.open()
            assert await rest(iterator)
        return sent

    assert runs.once(mode, caller, scenario) == 1
