"""Tool calls in a stream: their arguments come in fragments that are cut anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, each, entered, settled
from tests.conformance.streams import bodies
from tests.conformance.streams.bodies import Event
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.views import helped

# Two calls at once, cut inside an escape, inside a surrogate pair, inside a number and inside a key.
FIRST = ['{"city": "S\\u00', "e3o \\ud83d", '\\ude00", "days": 1', "2.5", ', "un', 'it": null}']
SECOND = ["", "{", '"a": [1, {"b": "\\"', '"}]', "}", ""]


def _chat() -> list[Event]:
    def call(index: int, **function: str) -> Event:
        opening = {"id": f"call_{index}", "type": "function"} if "name" in function else {}
        delta = {"tool_calls": [{"index": index, "function": function, **opening}]}
        return bodies.chat_chunk({"index": 0, "delta": delta, "finish_reason": None})

    told = [call(index, name=f"tool_{index}", arguments="") for index in range(3)]
    for first, second in zip(FIRST, SECOND, strict=True):
        told += [call(0, arguments=first), call(1, arguments=second)]
    end = bodies.chat_chunk({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    return [*told, call(2, arguments="{}"), end, (None, "[DONE]")]


def _message() -> list[Event]:
    """Blocks of a message are told one after the other by the protocol; here the deltas of two of them alternate."""
    blocks: list[list[Event]] = []
    for index, fragments in enumerate((FIRST, SECOND, [""])):
        use: dict[str, object] = {"type": "tool_use", "id": f"toolu_{index}", "name": f"tool_{index}", "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": fragment} for fragment in fragments]
        blocks.append(bodies.block(index, use, deltas))
    first, second, third = blocks
    between = [event for pair in zip(first, second, strict=True) for event in pair]
    return [bodies.message_start(), *between, *third, *bodies.message_end("tool_use")]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_fragments_of_tool_calls_come_through_as_they_were_cut(caller: Caller, runs: Runs) -> None:
    """Event by event, and put together by the SDK's helper: the inputs of three tools, one of which takes none."""
    told = _chat() if caller.sdk == "openai" else _message()
    answer = bodies.stream(bodies.chunks(told))

    async def scenario(client: Any) -> Any:
        events = await each(await ask(client, stream=True))
        async with entered(helped(client)) as stream:
            if caller.sdk == "openai":
                whole = await settled(stream.get_final_completion())
                return [events, [call.function.arguments for call in whole.choices[0].message.tool_calls]]
            return [events, [block.input for block in (await settled(stream.get_final_message())).content]]

    events, inputs = runs.compare(caller, scenario, answer, answer, ends=["complete"] * 2)

    assert len(events) == len(told) - (caller.sdk == "openai")
    if caller.sdk == "openai":
        assert inputs == ["".join(FIRST), "".join(SECOND), "{}"]
    else:
        assert inputs == [
            {"city": "São 😀", "days": 12.5, "unit": None},
            {"a": [1, {"b": '"'}]},
            {},
        ]
