"""What is kept of conversations: stored chat completions, items of responses, conversations; and how thought shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import openai
import pytest

from .weather import CHAT_TOOLS, MESSAGES_TOOLS, RESPONSES_TOOLS

if TYPE_CHECKING:
    from intercept.loopback import Provider

    from .clients import Clients

HELLO: list[Any] = [{"role": "user", "content": "hi"}]


def test_a_chat_completion_is_stored_when_asked(clients: Clients) -> None:
    """Listed in pages, read back with what was asked, changed, deleted; the others are not kept."""
    client = clients.openai()
    chat = client.chat.completions
    made = [chat.create(model="m", messages=HELLO, store=store).id for store in (True, True, False)]
    listed = [stored.id for stored in chat.list(limit=1)]
    changed = chat.update(made[0], metadata={"of": "mine"})
    asked = list(chat.messages.list(made[0]))
    chat.delete(made[1])

    assert listed == made[:2]
    assert changed.to_dict()["metadata"] == chat.retrieve(made[0]).to_dict()["metadata"] == {"of": "mine"}
    assert [(message.role, message.content) for message in asked] == [("user", "hi")]
    for gone in made[1:]:
        with pytest.raises(openai.NotFoundError, match="No chat completion found"):
            chat.retrieve(gone)


def test_the_input_of_a_response_can_be_read(clients: Clients) -> None:
    """Each item with an id, its text in parts, newest first."""
    client = clients.openai()
    made = client.responses.create(model="m", input=[*HELLO, {"role": "user", "content": "Sure?"}])
    items: list[Any] = list(client.responses.input_items.list(made.id, limit=1))

    assert [item.content[0].text for item in items] == ["Sure?", "hi"]
    assert len({item.id for item in items}) == 2


def test_a_conversation_holds_items(clients: Clients) -> None:
    """Added, listed, read, taken out."""
    client = clients.openai()
    made = client.conversations.create(items=[{"type": "message", "role": "user", "content": "one"}])
    [added] = client.conversations.items.create(
        made.id, items=[{"type": "message", "role": "user", "content": "two"}]
    ).data
    listed: list[Any] = list(client.conversations.items.list(made.id, limit=1))
    assert added.id is not None
    client.conversations.items.delete(listed[1].id, conversation_id=made.id)
    again = client.conversations.items.retrieve(added.id, conversation_id=made.id)
    client.conversations.update(made.id, metadata={"of": "mine"})

    assert [item.content[0].text for item in listed] == ["two", "one"]
    assert again == added
    assert [item.id for item in client.conversations.items.list(made.id)] == [added.id]
    assert client.conversations.retrieve(made.id).metadata == {"of": "mine"}
    assert client.conversations.delete(made.id).deleted


def test_thought_comes_before_the_answer_whole_and_streamed(clients: Clients) -> None:
    """A reasoning item with its summary; its tokens count as output; encrypted when asked for."""
    client: Any = clients.openai()
    options: dict[str, Any] = {"model": "m", "input": "hi", "reasoning": {"effort": "low", "summary": "auto"}}
    whole = client.responses.create(**options, include=["reasoning.encrypted_content"])
    with client.responses.stream(**options) as stream:
        streamed = stream.get_final_response()

    for number, response in enumerate((whole, streamed), 1):
        thought, said = response.output
        assert thought.type == "reasoning"
        assert (thought.summary[0].text, said.type) == (f"Thought {number} about: hi", "message")
        assert response.usage.output_tokens_details.reasoning_tokens == 4
    assert whole.output[0].to_dict()["encrypted_content"]
    assert not streamed.output[0].to_dict().get("encrypted_content")


def test_several_tools_are_called_when_the_request_says_so(clients: Clients, provider: Provider) -> None:
    """Every tool once, with identifiers of their own; fragments of streamed calls come in turns."""
    client = clients.openai()
    chat = client.chat.completions.create(model="m", messages=HELLO, tools=CHAT_TOOLS, parallel_tool_calls=True)
    chunks = client.chat.completions.create(
        model="m", messages=HELLO, tools=[CHAT_TOOLS[1], CHAT_TOOLS[1]], parallel_tool_calls=True, stream=True
    )
    turns = [call.index for chunk in chunks for call in chunk.choices[0].delta.tool_calls or []]
    response = client.responses.create(
        model="m", input="hi", tools=[*RESPONSES_TOOLS, *RESPONSES_TOOLS], parallel_tool_calls=True
    )
    message = clients.anthropic().messages.create(
        model="m",
        max_tokens=9,
        messages=HELLO,
        tools=[*MESSAGES_TOOLS, {**MESSAGES_TOOLS[0], "name": "time"}],
        tool_choice={"type": "auto", "disable_parallel_tool_use": False},
    )

    assert chat.choices[0].message.tool_calls is not None
    assert [call.to_dict()["type"] for call in chat.choices[0].message.tool_calls] == ["function", "function"]
    assert len({call.id for call in chat.choices[0].message.tool_calls}) == 2
    assert turns == [0, 1, 0, 1, 0, 1, 0, 1]
    assert len({item.id for item in response.output if item.type == "function_call"}) == 2
    assert [block.name for block in message.content if block.type == "tool_use"] == ["weather", "time"]
    assert provider.hits == 4


def test_the_older_completions_of_anthropic(clients: Clients) -> None:
    """Whole and streamed, over the client's own ``post``, as newer SDKs have no method for it."""
    client: Any = clients.anthropic()
    body = {"model": "m", "max_tokens_to_sample": 9, "prompt": "\n\nHuman: hi\n\nAssistant:"}
    whole = client.post("/v1/complete", body=body, cast_to=object)
    streamed = client.post(
        "/v1/complete",
        body={**body, "stream": True},
        cast_to=object,
        stream=True,
        stream_cls=client._default_stream_cls[object],
    )
    events = list(streamed)

    assert whole["completion"] == " Reply 1 to: hi"
    assert "".join(event["completion"] for event in events) == " Reply 2 to: hi"
    assert [event["stop_reason"] for event in events[-2:]] == [None, "stop_sequence"]
