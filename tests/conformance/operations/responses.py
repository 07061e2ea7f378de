"""Responses: whole, streamed, thought about, worked on in the background, kept."""

from __future__ import annotations

from typing import Any

import openai
import pytest

from tests.conformance.callers import each, entered, items, settled
from tests.conformance.operations.questions import RESPONSE_TOOL, USER, WEATHER, Answer
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

ASK: dict[str, Any] = {"model": "gpt-4o", "input": "What is it?"}
REASONING: dict[str, Any] = {
    "reasoning": {"effort": "low", "summary": "auto"},
    "include": ["reasoning.encrypted_content"],
    "store": False,
}


@viewed("openai", streams=True)
async def responses(_client: Any) -> Asked:
    return asked("responses.create", **ASK)


@viewed("openai", streams=True, variant=True)
async def responses_tools(_client: Any) -> Asked:
    tools = [RESPONSE_TOOL, {**RESPONSE_TOOL, "name": "time"}]
    return asked("responses.create", **ASK, tools=tools, parallel_tool_calls=True)


@viewed("openai", streams=True, variant=True)
async def responses_reasoning(_client: Any) -> Asked:
    return asked("responses.create", **ASK, **REASONING)


@viewed("openai", variant=True)
async def responses_structured(_client: Any) -> Asked:
    text = {"format": {"type": "json_schema", "name": "place", "schema": WEATHER, "strict": True}}
    return asked("responses.create", **ASK, text=text, instructions="Be brief.")


@operation("openai")
async def responses_create(client: Any) -> Any:
    response = await settled(client.responses.create(model="gpt-4o", input="What is it?"))
    return [response, response.output_text]


@operation("openai")
async def responses_stream(client: Any) -> Any:
    async with entered(await settled(client.responses.create(model="gpt-4o", input="Hm?", stream=True))) as stream:
        return await each(stream)


@operation("openai")
async def responses_helper(client: Any) -> Any:
    async with entered(client.responses.stream(**ASK)) as stream:
        events = [[event.type, event] for event in await each(stream)]
        return [events, await settled(stream.get_final_response())]


@operation("openai")
async def responses_helper_parsed(client: Any) -> Any:
    async with entered(client.responses.stream(**ASK, text_format=Answer)) as stream:
        await settled(stream.until_done())
        final = await settled(stream.get_final_response())
    return [final, final.output_parsed]


@operation("openai")
async def responses_helper_tools(client: Any) -> Any:
    async with entered(client.responses.stream(**ASK, tools=[RESPONSE_TOOL])) as stream:
        events = [event.type async for event in items(stream)]
        return [events, await settled(stream.get_final_response())]


@operation("openai")
async def responses_parse(client: Any) -> Any:
    parsed = await settled(client.responses.parse(model="gpt-4o", input="What is it?", text_format=Answer))
    return [parsed, parsed.output_parsed]


@operation("openai")
async def responses_parse_raw(client: Any) -> Any:
    raw = await settled(client.responses.with_raw_response.parse(**ASK, text_format=Answer))
    return [raw.status_code, raw.request_id, raw.parse()]


@operation("openai")
async def responses_tool_loop(client: Any) -> Any:
    tool = {"type": "function", "name": "weather", "parameters": WEATHER, "strict": True}
    given: list[Any] = [*USER]
    first = await settled(client.responses.create(model="gpt-4o", input=given, tools=[tool]))
    call = next(item for item in first.output if item.type == "function_call")
    given += [*first.output, {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}]
    second = await settled(client.responses.create(model="gpt-4o", input=given, tools=[tool]))
    return [first, second, await settled(client.responses.retrieve(second.id))]


@operation("openai")
async def responses_reasoning_given_back(client: Any) -> Any:
    """The SDK's own items, reasoning among them, are the next input."""
    first = await settled(client.responses.create(**ASK, **REASONING))
    given = [*USER, *first.output, {"role": "user", "content": "Sure?"}]
    return [first, await settled(client.responses.create(model="gpt-4o", input=given, **REASONING))]


@operation("openai")
async def responses_chained(client: Any) -> Any:
    first = await settled(client.responses.create(**ASK))
    return await settled(client.responses.create(model="gpt-4o", input="Sure?", previous_response_id=first.id))


@operation("openai")
async def responses_tool_runner(client: Any) -> Any:
    """The SDK's own loop over tools, where it has one."""
    runners: Any = pytest.importorskip("openai.lib.responses_tool_runner", reason="this SDK runs no tools by itself")

    def weather(_given: dict[str, object]) -> str:
        return "sunny"

    async def weather_later(given: dict[str, object]) -> str:
        return weather(given)

    if isinstance(client, openai.AsyncOpenAI):
        function = runners.AsyncRegisteredFunction(RESPONSE_TOOL, weather_later)
        return await runners.AsyncResponsesToolRunner(functions=[function]).run(client, ASK)
    function = runners.RegisteredFunction(RESPONSE_TOOL, weather)
    return runners.ResponsesToolRunner(functions=[function]).run(client, ASK)


@operation("openai")
async def responses_in_background(client: Any) -> Any:
    seen = [await settled(client.responses.create(**ASK, background=True))]
    while seen[-1].status in ("queued", "in_progress"):
        seen.append(await settled(client.responses.retrieve(seen[0].id)))
    assert [response.status for response in seen] == ["queued", "in_progress", "completed"]
    return seen


@operation("openai")
async def responses_cancelled(client: Any) -> Any:
    begun = await settled(client.responses.create(**ASK, background=True))
    cancelled = await settled(client.responses.cancel(begun.id))
    return [begun, cancelled, await settled(client.responses.retrieve(begun.id))]


@operation("openai")
async def responses_picked_up_again(client: Any) -> Any:
    """A stream of a background response, and the rest of it read once more."""
    begun = await settled(client.responses.create(**ASK, background=True, stream=True))
    events = await each(begun)
    whole = await settled(client.responses.retrieve(events[0].response.id, stream=True))
    rest = await settled(client.responses.retrieve(events[0].response.id, stream=True, starting_after=3))
    return [events, kind(whole), await each(whole), await each(rest)]


@viewed("openai")
async def responses_retrieve(client: Any) -> Asked:
    return asked("responses.retrieve", (await settled(client.responses.create(**ASK))).id)


@viewed("openai", pages=True)
async def responses_input_items(client: Any) -> Asked:
    made = await settled(client.responses.create(model="gpt-4o", input=[*USER, *USER, *USER]))
    return asked("responses.input_items.list", made.id, limit=2)


@viewed("openai")
async def responses_delete(client: Any) -> Asked:
    return asked("responses.delete", (await settled(client.responses.create(**ASK))).id)


@viewed("openai")
async def responses_input_tokens(_client: Any) -> Asked:
    return asked("responses.input_tokens.count", **ASK)
