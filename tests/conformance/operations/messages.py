"""Messages."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, entered, settled
from tests.conformance.operations.questions import MESSAGE, MESSAGE_TOOL, USER, WEATHER, Answer
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

THINKING: dict[str, Any] = {**MESSAGE, "max_tokens": 2048, "thinking": {"type": "enabled", "budget_tokens": 1024}}
TWO_TOOLS: dict[str, Any] = {
    "tools": [MESSAGE_TOOL, {**MESSAGE_TOOL, "name": "time"}],
    "tool_choice": {"type": "any", "disable_parallel_tool_use": False},
}


@viewed("anthropic", streams=True)
async def message(_client: Any) -> Asked:
    return asked("messages.create", **MESSAGE, system="Be brief.", stop_sequences=["!"])


@viewed("anthropic", streams=True, variant=True)
async def message_thinking(_client: Any) -> Asked:
    return asked("messages.create", **THINKING)


@viewed("anthropic", streams=True, variant=True)
async def message_tools(_client: Any) -> Asked:
    return asked("messages.create", **MESSAGE, **TWO_TOOLS)


@viewed("anthropic")
async def message_tokens(_client: Any) -> Asked:
    return asked("messages.count_tokens", model="claude-test", messages=USER, tools=[MESSAGE_TOOL])


@operation("anthropic")
async def count_tokens(client: Any) -> Any:
    return await settled(client.messages.count_tokens(model="claude-test", messages=USER))


@operation("anthropic")
async def message_helper(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        events = [[event.type, event] for event in await each(stream)]
        return [events, await settled(stream.get_final_message())]


@operation("anthropic")
async def message_helper_untouched(client: Any) -> Any:
    """Nobody reads the events: the helper does."""
    async with entered(client.messages.stream(**THINKING)) as stream:
        final = await settled(stream.get_final_message())
        return [final, stream.request_id, stream.response.status_code, stream.response.headers["content-type"]]


@operation("anthropic")
async def message_text_stream(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return [await each(stream.text_stream), await settled(stream.get_final_text())]


@operation("anthropic")
async def message_helper_until_done(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        await settled(stream.until_done())
        return [stream.current_message_snapshot, stream.response.is_closed]


@operation("anthropic", needs="messages.parse")
async def message_parse(client: Any) -> Any:
    return await settled(client.messages.parse(**MESSAGE, output_format=Answer))


@operation("anthropic", needs="messages.parse")
async def message_parsed(client: Any) -> Any:
    message = await settled(client.messages.parse(**MESSAGE, output_format=Answer))
    async with entered(client.messages.stream(**MESSAGE, output_format=Answer)) as stream:
        final = await settled(stream.get_final_message())
    return [message.parsed_output, final, final.parsed_output]


@operation("anthropic")
async def message_unread_response(client: Any) -> Any:
    """The body of a streaming response, drawn in each way it can be drawn."""
    drawn: list[Any] = []
    for draw in ("iter_bytes", "iter_text", "iter_lines", "json", "text", "parse"):
        async with entered(client.messages.with_streaming_response.create(**MESSAGE)) as response:
            got = getattr(response, draw)()
            drawn.append([draw, await each(got) if draw.startswith("iter") else await settled(got)])
    drawn[0][1], drawn[1][1] = b"".join(drawn[0][1]), "".join(drawn[1][1])
    return drawn


@operation("anthropic")
async def message_tool_loop(client: Any) -> Any:
    tool = {"name": "weather", "input_schema": WEATHER}
    messages: list[Any] = [*USER]
    ask_for = {"model": "claude-test", "max_tokens": 64, "tools": [tool]}
    first = await settled(client.messages.create(**ask_for, messages=messages))
    use = next(block for block in first.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": use.id, "content": "sunny"}
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    return [first, await settled(client.messages.create(**ask_for, messages=messages))]


@operation("anthropic")
async def message_thinking_given_back(client: Any) -> Any:
    """The SDK's own blocks, a signed thought among them, are the next input."""
    first = await settled(client.messages.create(**THINKING))
    again = [*USER, {"role": "assistant", "content": first.content}, *USER]
    return [first, await settled(client.messages.create(**{**THINKING, "messages": again}))]


@operation("anthropic")
async def message_tool_helper(client: Any) -> Any:
    tool = {"name": "weather", "input_schema": WEATHER}
    async with entered(client.messages.stream(**MESSAGE, tools=[tool])) as stream:
        return await settled(stream.get_final_message())


@operation("anthropic")
async def message_tool_helper_events(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE, **TWO_TOOLS)) as stream:
        events = [[event.type, event] for event in await each(stream)]
        return [events, await settled(stream.get_final_message())]
