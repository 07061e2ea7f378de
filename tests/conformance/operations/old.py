"""The main calls of both SDKs, each in every way an application makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pydantic
import pytest

from tests.conformance.callers import CALLERS, Scenario, ask, each, entered, settled

USER = [{"role": "user", "content": "What is it?"}]
CHAT = {"model": "gpt-4o", "messages": USER}
MESSAGE = {"model": "claude-test", "max_tokens": 64, "messages": USER}
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


class Answer(pydantic.BaseModel):
    """The structured answer that is asked for."""

    city: str
    degrees: int


_OPERATIONS: dict[tuple[str, str], Scenario] = {}


def operation(sdk: Literal["openai", "anthropic"]) -> Callable[[Scenario], Scenario]:
    """Enter a scenario into the table."""

    def enter(scenario: Scenario) -> Scenario:
        _OPERATIONS[sdk, getattr(scenario, "__name__", "")] = scenario
        return scenario

    return enter


def cells() -> list[Any]:
    """Return every operation with each caller that can make it, as pytest parameters."""
    return [
        pytest.param(caller, scenario, id=f"{caller}-{name}")
        for caller in CALLERS
        for (sdk, name), scenario in _OPERATIONS.items()
        if sdk == caller.sdk
    ]


@operation("openai")
@operation("anthropic")
async def create(client: Any) -> Any:
    return await ask(client)


@operation("openai")
@operation("anthropic")
async def create_stream(client: Any) -> Any:
    stream = await ask(client, stream=True)
    return [type(stream).__qualname__, await each(stream)]


@operation("openai")
@operation("anthropic")
async def create_stream_in_with(client: Any) -> Any:
    async with entered(await ask(client, stream=True)) as stream:
        events = await each(stream)
    return [events, stream.response.is_closed]


@operation("openai")
@operation("anthropic")
async def with_options(client: Any) -> Any:
    copy = client.with_options(timeout=7, max_retries=5)
    return [await ask(copy), await ask(copy.with_options(default_headers={"x-mine": "1"}))]


@operation("openai")
@operation("anthropic")
async def same_question_three_times(client: Any) -> Any:
    return [await ask(client), await ask(client), await ask(client)]


@operation("openai")
async def chat_helper(client: Any) -> Any:
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        events = [event.type for event in await each(stream)]
        return [events, await settled(stream.get_final_completion())]


@operation("openai")
async def chat_parse(client: Any) -> Any:
    return await settled(client.chat.completions.parse(**CHAT, response_format=Answer))


@operation("openai")
async def chat_raw(client: Any) -> Any:
    raw = await settled(client.chat.completions.with_raw_response.create(**CHAT))
    parsed = raw.parse()
    assert raw.parse() is parsed
    return [type(raw).__qualname__, raw.status_code, raw.headers["x-request-id"], raw.request_id, raw.text, parsed]


@operation("openai")
async def chat_raw_stream(client: Any) -> Any:
    raw = await settled(client.chat.completions.with_raw_response.create(**CHAT, stream=True))
    return [raw.status_code, raw.headers["content-type"], await each(raw.parse())]


@operation("openai")
async def chat_streaming_response(client: Any) -> Any:
    async with entered(client.chat.completions.with_streaming_response.create(**CHAT)) as response:
        lines = await each(response.iter_lines())
    return [response.status_code, lines]


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
    async with entered(client.responses.stream(model="gpt-4o", input="What is it?")) as stream:
        events = [event.type for event in await each(stream)]
        return [events, await settled(stream.get_final_response())]


@operation("openai")
async def responses_parse(client: Any) -> Any:
    parsed = await settled(client.responses.parse(model="gpt-4o", input="What is it?", text_format=Answer))
    return [parsed, parsed.output_parsed]


@operation("openai")
async def responses_raw(client: Any) -> Any:
    raw = await settled(client.responses.with_raw_response.create(model="gpt-4o", input="What is it?"))
    return [raw.status_code, raw.request_id, raw.parse()]


@operation("openai")
async def responses_tool_loop(client: Any) -> Any:
    tool = {"type": "function", "name": "weather", "parameters": WEATHER, "strict": True}
    items: list[Any] = [*USER]
    first = await settled(client.responses.create(model="gpt-4o", input=items, tools=[tool]))
    call = next(item for item in first.output if item.type == "function_call")
    items += [*first.output, {"type": "function_call_output", "call_id": call.call_id, "output": "sunny"}]
    second = await settled(client.responses.create(model="gpt-4o", input=items, tools=[tool]))
    return [first, second, await settled(client.responses.retrieve(second.id))]


@operation("openai")
async def embeddings(client: Any) -> Any:
    default = await settled(client.embeddings.create(model="text-embedding-3-small", input=["one", "two"]))
    floats = await settled(
        client.embeddings.create(model="text-embedding-3-small", input="one", encoding_format="float")
    )
    raw = await settled(client.embeddings.with_raw_response.create(model="text-embedding-3-small", input="three"))
    return [default, floats, raw.http_response.read(), raw.parse()]


@operation("openai")
async def files(client: Any) -> Any:
    made = await settled(client.files.create(file=("notes.txt", b"one\r\ntwo\x00"), purpose="assistants"))
    content = await settled(client.files.content(made.id))
    return [made, content.content, await settled(client.files.retrieve(made.id)), await each(client.files.list())]


@operation("openai")
async def models(client: Any) -> Any:
    page = await settled(client.models.list())
    return [page, await settled(client.models.retrieve(page.data[0].id))]


@operation("anthropic")
async def message_helper(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        events = [event.type for event in await each(stream)]
        return [events, await settled(stream.get_final_message())]


@operation("anthropic")
async def message_text_stream(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return [await each(stream.text_stream), await settled(stream.get_final_text())]


@operation("anthropic")
async def message_parse(client: Any) -> Any:
    if not hasattr(client.messages, "parse"):
        pytest.skip("this anthropic has no messages.parse")
    return await settled(client.messages.parse(**MESSAGE, output_format=Answer))


@operation("anthropic")
async def message_raw(client: Any) -> Any:
    raw = await settled(client.messages.with_raw_response.create(**MESSAGE))
    parsed = await settled(raw.parse())
    assert await settled(raw.parse()) is parsed
    return [type(raw).__qualname__, raw.status_code, raw.headers["request-id"], raw.request_id, parsed]


@operation("anthropic")
async def message_raw_stream(client: Any) -> Any:
    raw = await settled(client.messages.with_raw_response.create(**MESSAGE, stream=True))
    return [raw.status_code, await each(await settled(raw.parse()))]


@operation("anthropic")
async def message_streaming_response(client: Any) -> Any:
    async with entered(client.messages.with_streaming_response.create(**MESSAGE)) as response:
        return [response.status_code, await each(response.iter_lines())]


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
async def message_tool_helper(client: Any) -> Any:
    tool = {"name": "weather", "input_schema": WEATHER}
    async with entered(client.messages.stream(**MESSAGE, tools=[tool])) as stream:
        return await settled(stream.get_final_message())


@operation("anthropic")
async def beta_message(client: Any) -> Any:
    return await settled(client.beta.messages.create(**MESSAGE, betas=["files-api-2025-04-14"]))


@operation("anthropic")
async def count_tokens(client: Any) -> Any:
    return await settled(client.messages.count_tokens(model="claude-test", messages=USER))


@operation("anthropic")
async def model_pages(client: Any) -> Any:
    return await each(client.models.list(limit=2))
