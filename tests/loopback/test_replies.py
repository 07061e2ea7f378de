"""What each API says by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intercept.loopback import Provider

    from .clients import Clients
    from .speak import Speak


def test_the_same_question_twice_gives_two_replies(speak: Speak, clients: Clients, provider: Provider) -> None:
    """The count is part of the text, so that a replay of the wrong one shows."""
    said = [speak(clients, "Hello, Ada"), speak(clients, "Hello, Ada")]

    assert said == ["Reply 1 to: Hello, Ada", "Reply 2 to: Hello, Ada"]
    assert provider.hits == 2


def test_every_choice_has_its_own_text_whole_and_streamed(clients: Clients) -> None:
    """``n`` choices come one per index, and the stream of them adds up to the same."""
    client = clients.openai()
    whole = client.chat.completions.create(model="m", n=2, messages=[{"role": "user", "content": "hi"}])
    streamed = ["", ""]
    for chunk in client.chat.completions.create(
        model="m", n=2, messages=[{"role": "user", "content": "hi"}], stream=True
    ):
        for choice in chunk.choices:
            streamed[choice.index] += choice.delta.content or ""

    assert [choice.message.content for choice in whole.choices] == ["Reply 1 to: hi", "Reply 1.1 to: hi"]
    assert streamed == ["Reply 2 to: hi", "Reply 2.1 to: hi"]


def test_usage_comes_in_a_last_chunk_without_choices_when_asked_for(clients: Clients) -> None:
    """Only ``include_usage`` brings it; the chunks before it carry null."""
    client = clients.openai()
    chunks = list(
        client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": "hi"}],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    without = list(client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}], stream=True))

    assert [chunk.usage for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == chunks[-1].usage.prompt_tokens + chunks[-1].usage.completion_tokens
    assert all(chunk.choices and "usage" not in chunk.model_fields_set for chunk in without)


def test_azure_serves_chat_under_a_deployment_with_filter_results(clients: Clients, provider: Provider) -> None:
    """The path names the deployment, the key comes as ``api-key``, and the prompt's filter results are there."""
    client = clients.azure()
    whole = client.chat.completions.create(model="deployed", messages=[{"role": "user", "content": "hi"}])
    chunks = list(
        client.chat.completions.create(model="deployed", messages=[{"role": "user", "content": "hi"}], stream=True)
    )

    assert whole.choices[0].message.content == "Reply 1 to: hi"
    assert "prompt_filter_results" in whole.to_dict()
    assert chunks[0].choices == []
    assert provider.requests[0].path == "/openai/deployments/deployed/chat/completions"
    assert provider.requests[0].key == clients.key


def test_thinking_comes_before_the_text_whole_and_streamed(clients: Clients) -> None:
    """A thinking block with its signature is first, and streams to the same message."""
    client = clients.anthropic()
    whole = client.messages.create(
        model="m",
        max_tokens=2000,
        thinking={"type": "enabled", "budget_tokens": 1024},
        messages=[{"role": "user", "content": "hi"}],
    )
    with client.messages.stream(
        model="m",
        max_tokens=2000,
        thinking={"type": "enabled", "budget_tokens": 1024},
        messages=[{"role": "user", "content": "hi"}],
    ) as stream:
        streamed = stream.get_final_message()

    for number, message in enumerate((whole, streamed), 1):
        thought, text = message.content
        assert thought.type == "thinking"
        assert (thought.thinking, text.type) == (f"Thought {number} about: hi", "text")
        assert len(thought.signature) > 100


def test_replies_carry_the_headers_of_their_provider(clients: Clients) -> None:
    """Request ids, two cookies of one name, and the limits are on the wire as both providers send them."""
    chat = clients.openai().chat.completions.with_raw_response.create(
        model="m", messages=[{"role": "user", "content": "hi"}]
    )
    message = clients.anthropic().messages.with_raw_response.create(
        model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}]
    )

    assert chat.headers["openai-version"] == "2020-10-01"
    assert len(chat.headers.get_list("set-cookie")) == 2
    assert len(chat.headers["x-request-id"]) == len("req_") + 32
    assert message.headers["request-id"].startswith("req_011C")
    assert message.headers["anthropic-ratelimit-requests-remaining"] == "3998"


def test_two_providers_say_the_same(clients: Clients, provider: Provider) -> None:
    """Ids, times and texts depend on the order of arrival only, so ``reset`` brings them back."""
    client = clients.openai()
    first = client.responses.create(model="m", input="hi").to_dict()
    second = client.responses.create(model="m", input="hi").to_dict()
    provider.reset()
    again = client.responses.create(model="m", input="hi").to_dict()

    assert again == first
    assert second["id"] != first["id"]
