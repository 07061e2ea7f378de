"""Tool calls: asked for, answered, and put into words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from openai.types.chat import ChatCompletionMessage

from .weather import CALLED, CHAT_TOOLS, MESSAGES_TOOLS, RESPONSES_TOOLS

if TYPE_CHECKING:
    from anthropic.types import Message, MessageParam
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.responses import Response, ResponseInputParam

    from .clients import Clients


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_chat_tool_loop(clients: Clients, *, streamed: bool) -> None:
    """The forced tool is called with valid arguments; its result is told."""
    client = clients.openai()
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Weather?"}]
    if streamed:
        with client.chat.completions.stream(
            model="m",
            messages=messages,
            tools=CHAT_TOOLS,
            tool_choice={"type": "function", "function": {"name": "weather"}},
        ) as stream:
            choice = stream.get_final_completion().choices[0].to_dict()
    else:
        choice = (
            client.chat.completions.create(
                model="m",
                messages=messages,
                tools=CHAT_TOOLS,
                tool_choice={"type": "function", "function": {"name": "weather"}},
            )
            .choices[0]
            .to_dict()
        )
    message = ChatCompletionMessage.model_validate(choice["message"])
    assert message.tool_calls is not None
    call = message.tool_calls[0]
    assert call.type == "function"
    messages = [
        *messages,
        {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.function.name, "arguments": call.function.arguments},
                }
            ],
        },
        {"role": "tool", "tool_call_id": call.id, "content": "12 C"},
    ]
    told = client.chat.completions.create(model="m", messages=messages, tools=CHAT_TOOLS)

    assert choice["finish_reason"] == "tool_calls"
    assert (call.function.name, json.loads(call.function.arguments)) == ("weather", CALLED)
    assert told.choices[0].message.content == "Reply 2: the tool said 12 C"


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_responses_tool_loop(clients: Clients, *, streamed: bool) -> None:
    """The tool is called with valid arguments; its result is told."""
    client = clients.openai()
    history: ResponseInputParam = [{"role": "user", "content": "Weather?"}]
    if streamed:
        with client.responses.stream(model="m", input=history, tools=RESPONSES_TOOLS) as stream:
            made: Response = stream.get_final_response()
    else:
        made = client.responses.create(model="m", input=history, tools=RESPONSES_TOOLS)
    call = made.output[0]
    assert call.type == "function_call"
    history = [
        *history,
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments},
        {"type": "function_call_output", "call_id": call.call_id, "output": "12 C"},
    ]
    told = client.responses.create(model="m", input=history, tools=RESPONSES_TOOLS)

    assert (call.name, json.loads(call.arguments)) == ("weather", CALLED)
    assert told.output_text == "Reply 2: the tool said 12 C"


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_messages_tool_loop(clients: Clients, *, streamed: bool) -> None:
    """The tool is used with valid input; its result is told."""
    client = clients.anthropic()
    messages: list[MessageParam] = [{"role": "user", "content": "Weather?"}]
    if streamed:
        with client.messages.stream(model="m", max_tokens=99, messages=messages, tools=MESSAGES_TOOLS) as stream:
            message: Message = stream.get_final_message()
    else:
        message = client.messages.create(model="m", max_tokens=99, messages=messages, tools=MESSAGES_TOOLS)
    use = message.content[0]
    assert use.type == "tool_use"
    messages = [
        *messages,
        {"role": "assistant", "content": [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.input}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "12 C"}]},
    ]
    told = client.messages.create(model="m", max_tokens=99, messages=messages, tools=MESSAGES_TOOLS)

    assert (use.name, use.input, message.stop_reason) == ("weather", CALLED, "tool_use")
    assert told.content[0].type == "text"
    assert told.content[0].text == "Reply 2: the tool said 12 C"


def test_no_tool_is_called_when_the_request_forbids_it(clients: Clients) -> None:
    """``tool_choice`` none means a text."""
    client = clients.openai()
    chat = client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], tools=CHAT_TOOLS, tool_choice="none"
    )
    message = clients.anthropic().messages.create(
        model="m",
        max_tokens=9,
        messages=[{"role": "user", "content": "hi"}],
        tools=MESSAGES_TOOLS,
        tool_choice={"type": "none"},
    )

    assert chat.choices[0].message.tool_calls is None
    assert message.content[0].type == "text"


def test_arguments_arrive_in_fragments(clients: Clients) -> None:
    """Streamed arguments are cut anywhere, so that only the joined text is JSON."""
    chunks = clients.openai().chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], tools=CHAT_TOOLS[1:], stream=True
    )
    calls = [call for chunk in chunks for choice in chunk.choices for call in choice.delta.tool_calls or []]
    fragments = [call.function.arguments or "" for call in calls if call.function]

    assert [call.id is not None for call in calls] == [True, False, False, False]
    assert json.loads("".join(fragments)) == CALLED
