"""What a test can make the provider do: queue answers, forget, ask for a key, stop."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import anthropic
import openai
import pytest

from intercept.loopback import Answer, Provider

if TYPE_CHECKING:
    from .clients import Clients


def test_queued_answers_come_first_and_to_their_path_only(clients: Clients, provider: Provider) -> None:
    """First in, first out; an answer for another path waits for it."""
    provider.answer(Answer(body={"object": "list", "data": []}), path="/v1/models")
    provider.answer(Answer.openai_error(400, message="one"), Answer.openai_error(404, message="two"))
    client = clients.openai()

    with pytest.raises(openai.BadRequestError, match="one"):
        client.responses.create(model="m", input="hi")
    with pytest.raises(openai.NotFoundError, match="two"):
        client.responses.create(model="m", input="hi")
    assert client.responses.create(model="m", input="hi").output_text == "Reply 3 to: hi"
    assert list(client.models.list()) == []
    assert list(client.models.list()) != []


def test_reset_forgets_all(clients: Clients, provider: Provider) -> None:
    """Requests, queue, files, waits and the count."""
    client = clients.openai()
    client.files.create(file=("a", b"a"), purpose="batch")
    provider.answer(Answer.openai_error(500))
    provider.hold()
    provider.reset()

    assert (provider.hits, provider.requests, provider.held) == (0, [], [])
    assert client.responses.create(model="m", input="hi").output_text == "Reply 1 to: hi"
    assert list(client.files.list()) == []


def test_what_was_received_is_all_there(clients: Clients, provider: Provider) -> None:
    """Method, path, query, headers and body as they came."""
    client = clients.anthropic()
    client.messages.create(
        model="m", max_tokens=9, messages=[{"role": "user", "content": "é"}], extra_query={"beta": "true"}
    )
    client.models.list(limit=2)
    received, listed = provider.requests

    assert (received.method, received.path, received.query) == ("POST", "/v1/messages", "beta=true")
    assert (listed.method, listed.path, listed.query, listed.body) == ("GET", "/v1/models", "limit=2", b"")
    assert received.json()["messages"][0]["content"] == "é"
    assert received.header("Anthropic-Version") is not None
    assert received.key == clients.key


def test_a_wrong_key_is_refused_in_the_words_of_the_provider(clients: Clients, provider: Provider) -> None:
    """The right one gets in, however it travels."""
    provider.require_key = clients.key
    wrong = "sk-" + "B" * 40
    chat = openai.OpenAI(base_url=provider.url + "/v1", api_key=wrong, max_retries=0)
    messages = anthropic.Anthropic(base_url=provider.url, api_key=wrong, max_retries=0)

    with pytest.raises(openai.AuthenticationError, match=f"Incorrect API key provided: {wrong}") as refused:
        chat.models.list()
    with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
        messages.models.list()
    assert refused.value.code == "invalid_api_key"
    assert list(clients.openai().models.list())
    assert list(clients.anthropic().models.list())
    assert clients.azure().embeddings.create(model="m", input="hi").data


def test_it_stops_at_once_with_a_held_request_and_a_gated_stream(provider: Provider) -> None:
    """Both clients see their connection drop."""
    other = Provider().start()
    failed: list[bool] = []

    def ask() -> None:
        client = openai.OpenAI(base_url=other.url + "/v1", api_key="k", max_retries=0)
        try:
            client.responses.create(model="m", input="hi")
        except openai.APIConnectionError:
            failed.append(True)

    gate = other.gate()
    client = openai.OpenAI(base_url=other.url + "/v1", api_key="k", max_retries=0)
    stream = client.responses.create(model="m", input="hi", stream=True)
    gate.release()
    next(stream)
    hold = other.hold()
    asking = threading.Thread(target=ask)
    asking.start()
    hold.wait(1)
    began = time.perf_counter()
    other.stop()
    took = time.perf_counter() - began
    asking.join(5)

    with pytest.raises(Exception, match=r"peer closed|[Cc]onnection|[Rr]ead"):
        next(stream)
    assert failed == [True]
    assert took < 0.3
    with pytest.raises(RuntimeError, match="not running"):
        _ = other.url
    assert provider.hits == 0
