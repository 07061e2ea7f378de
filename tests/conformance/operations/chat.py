"""Chat completions."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, entered, items, settled
from tests.conformance.operations.questions import CHAT, CHAT_TOOL, TIME_TOOL, USER, WEATHER, Answer
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

PLACE = {"type": "json_schema", "json_schema": {"name": "place", "schema": WEATHER, "strict": True}}


@viewed("openai", streams=True)
async def chat(_client: Any) -> Asked:
    return asked("chat.completions.create", **CHAT)


@viewed("openai", streams=True, variant=True)
async def chat_two_choices(_client: Any) -> Asked:
    return asked("chat.completions.create", **CHAT, n=2, temperature=0.5)


@viewed("openai", streams=True, variant=True)
async def chat_parallel_tools(_client: Any) -> Asked:
    """Views of two tool calls whose fragments come in turns."""
    return asked("chat.completions.create", **CHAT, tools=[CHAT_TOOL, TIME_TOOL], parallel_tool_calls=True)


@viewed("openai", streams=True, variant=True)
async def chat_json(_client: Any) -> Asked:
    return asked("chat.completions.create", **CHAT, response_format=PLACE)


@viewed("openai")
async def chat_structured(_client: Any) -> Asked:
    return asked("chat.completions.parse", **CHAT, response_format=Answer)


@operation("openai")
async def chat_parse(client: Any) -> Any:
    return await settled(client.chat.completions.parse(**CHAT, response_format=Answer))


@operation("openai")
async def chat_helper(client: Any) -> Any:
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        events = [[event.type, event] for event in await each(stream)]
        return [events, await settled(stream.get_final_completion())]


@operation("openai")
async def chat_helper_untouched(client: Any) -> Any:
    """Nobody reads the events: the helper does."""
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        return await settled(stream.get_final_completion())


@operation("openai")
async def chat_helper_parsed(client: Any) -> Any:
    asking = client.chat.completions.stream(**CHAT, response_format=Answer)
    async with entered(asking) as stream:
        await settled(stream.until_done())
        final = await settled(stream.get_final_completion())
    return [final, final.choices[0].message.parsed]


@operation("openai")
async def chat_helper_tools(client: Any) -> Any:
    tool = {**CHAT_TOOL, "function": {**CHAT_TOOL["function"], "strict": True}}
    async with entered(client.chat.completions.stream(**CHAT, tools=[tool])) as stream:
        events = [[event.type, event] async for event in items(stream)]
        return [events, await settled(stream.get_final_completion())]


@operation("openai")
async def chat_unread_response(client: Any) -> Any:
    """The body of a streaming response, drawn in each way it can be drawn."""
    drawn: list[Any] = []
    for draw in ("iter_bytes", "iter_text", "iter_lines", "json", "text", "parse"):
        async with entered(client.chat.completions.with_streaming_response.create(**CHAT)) as response:
            got = getattr(response, draw)()
            drawn.append([draw, await each(got) if draw.startswith("iter") else await settled(got)])
    drawn[0][1], drawn[1][1] = b"".join(drawn[0][1]), "".join(drawn[1][1])
    return drawn


@operation("openai")
async def chat_usage_chunk(client: Any) -> Any:
    stream = client.chat.completions.create(**CHAT, stream=True, stream_options={"include_usage": True})
    return await each(await settled(stream))


@operation("openai")
async def chat_tool_loop(client: Any) -> Any:
    tool = {"type": "function", "function": {"name": "weather", "parameters": WEATHER}}
    messages: list[Any] = [*USER]
    first = await settled(client.chat.completions.create(model="gpt-4o", messages=messages, tools=[tool]))
    call = first.choices[0].message.tool_calls[0]
    messages += [first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]
    return [first, await settled(client.chat.completions.create(model="gpt-4o", messages=messages, tools=[tool]))]


@operation("openai")
async def chat_tool_stream(client: Any) -> Any:
    tool = {"type": "function", "function": {"name": "weather", "parameters": WEATHER}}
    return await each(await settled(client.chat.completions.create(**CHAT, tools=[tool], stream=True)))


async def _stored(client: Any) -> Any:
    return await settled(client.chat.completions.create(**CHAT, store=True, metadata={"of": "mine"}))


@viewed("openai")
async def chat_stored(client: Any) -> Asked:
    return asked("chat.completions.retrieve", (await _stored(client)).id)


@viewed("openai", pages=True)
async def chat_stored_list(client: Any) -> Asked:
    for _ in range(3):
        await _stored(client)
    return asked("chat.completions.list", limit=2)


@viewed("openai")
async def chat_stored_messages(client: Any) -> Asked:
    return asked("chat.completions.messages.list", (await _stored(client)).id)


@operation("openai")
async def chat_stored_changed(client: Any) -> Any:
    name = (await _stored(client)).id
    changed = await settled(client.chat.completions.update(name, metadata={"of": "yours"}))
    return [changed, await settled(client.chat.completions.delete(name))]
