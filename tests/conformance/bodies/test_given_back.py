"""Objects of the SDK given back as input: the same request as their parts written by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.operations.questions import WEATHER
from tests.conformance.stage import Stage
from tests.conformance.ways import name

CHAT: Any = {"model": "gpt-4o", "tools": [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]}
MESSAGE: Any = {"model": "claude-test", "max_tokens": 64, "tools": [{"name": "weather", "input_schema": WEATHER}]}
RESPONSE: Any = {"model": "gpt-4o", "tools": [{"type": "function", "name": "weather", "parameters": WEATHER}]}
USER = {"role": "user", "content": "?"}


def _plain(view: Any) -> Any:
    """Return the answer as the provider wrote it."""
    return json.loads(view.http_response.text)


async def _chat(client: Any, *, by_hand: bool) -> Any:
    create = client.chat.completions.with_raw_response.create
    view = await settled(create(**CHAT, messages=[USER]))
    live, plain = view.parse().choices[0].message, _plain(view)["choices"][0]["message"]
    result = {"role": "tool", "tool_call_id": live.tool_calls[0].id, "content": "sunny"}
    messages = [USER, plain if by_hand else live, result]
    return await settled(client.chat.completions.create(**CHAT, messages=messages))


async def _responses(client: Any, *, by_hand: bool) -> Any:
    view = await settled(client.responses.with_raw_response.create(**RESPONSE, input=[USER]))
    live, plain = view.parse().output, _plain(view)["output"]
    call = next(item for item in live if item.type == "function_call")
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}
    return await settled(client.responses.create(**RESPONSE, input=[USER, *(plain if by_hand else live), result]))


async def _messages(client: Any, *, by_hand: bool) -> Any:
    view = await settled(client.messages.with_raw_response.create(**MESSAGE, messages=[USER]))
    live, plain = (await settled(view.parse())).content, _plain(view)["content"]
    use = next(block for block in live if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": use.id, "content": "sunny"}
    turn = {"role": "assistant", "content": plain if by_hand else live}
    return await settled(
        client.messages.create(**MESSAGE, messages=[USER, turn, {"role": "user", "content": [result]}])
    )


_LOOPS: dict[str, list[Any]] = {"openai": [_chat, _responses], "anthropic": [_messages]}


@pytest.mark.parametrize(
    ("caller", "loop"),
    [pytest.param(caller, loop, id=f"{caller}{name(loop)}") for caller in CALLERS for loop in _LOOPS[caller.sdk]],
)
def test_an_object_given_back_is_its_parts(caller: Caller, loop: Any, stage: Stage) -> None:
    """Recorded with live objects, it replays with theirs, with replayed ones and with dicts; what is kept was sent."""

    async def live(client: Any) -> Any:
        return await loop(client, by_hand=False)

    async def by_hand(client: Any) -> Any:
        return await loop(client, by_hand=True)

    result = stage.agree(caller, live)
    replayed, _ = stage.replayed(caller, by_hand)

    assert replayed == result
    kept = [json.loads(line)["request"]["body"] for line in stage.cassette.read_text("utf-8").splitlines()[1:]]
    assert kept == [request.json() for request in stage.provider.requests]
