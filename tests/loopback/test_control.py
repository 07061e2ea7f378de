"""What a test can make the provider do: hold, gate, queue, forget, ask for a key, stop."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import anthropic
import openai
import pytest

from intercept.loopback import Answer, Provider

if TYPE_CHECKING:
    from .clients import Clients
    from .speak import Speak


def test_held_requests_are_answered_in_the_order_they_are_released(clients: Clients, provider: Provider) -> None:
    """Eight at once, released in reverse, end in reverse; each keeps the number it got on arrival."""
    order: list[str] = []
    ended: list[str] = []

    async def ask(client: openai.AsyncOpenAI, name: str) -> str:
        return (await client.responses.create(model="m", input=name)).output_text

    async def run() -> None:
        async with clients.async_openai() as client:
            with provider.hold() as held:
                tasks = {f"q{n}": asyncio.create_task(ask(client, f"q{n}")) for n in range(8)}
                await asyncio.to_thread(held.wait, 8)
                order.extend(one.received.json()["input"] for one in held)
                for one in reversed(held):
                    one.release()
                    ended.append(await tasks.pop(one.received.json()["input"]))
                    assert not any(task.done() for task in tasks.values())

    asyncio.run(run())

    assert sorted(order) == [f"q{n}" for n in range(8)]
    assert ended == [f"Reply {n + 1} to: {order[n]}" for n in reversed(range(8))]


def test_leaving_a_hold_releases_the_rest(speak: Speak, clients: Clients, provider: Provider) -> None:
    """Nothing stays stuck after the block, and nothing is held any more."""
    with ThreadPoolExecutor() as pool:
        with provider.hold() as held:
            said = [pool.submit(speak, clients, "hi") for _ in range(2)]
            held.wait(2)
            assert [one.waiting for one in provider.held] == [True, True]
            assert not any(one.done() for one in said)
        assert sorted(one.result(5) for one in said) == ["Reply 1 to: hi", "Reply 2 to: hi"]
    assert speak(clients, "hi") == "Reply 3 to: hi"


def test_waiting_for_requests_that_do_not_come_ends(provider: Provider) -> None:
    """The error tells how many there were."""
    with provider.hold() as held, pytest.raises(TimeoutError, match="0 of 1 requests"):
        held.wait(1, timeout=0.01)


def test_a_gated_stream_gives_one_event_per_release(clients: Clients, provider: Provider) -> None:
    """The client has read exactly what was released: there is no reading ahead to hide behind."""
    with provider.gate() as gate, clients.openai() as client:
        stream = client.responses.create(model="m", input="hi", stream=True)
        seen: list[str] = []
        counts: list[int] = []
        for _ in range(5):
            gate.release()
            seen.append(next(stream).type)
            counts.append(gate.sent)
        reader = threading.Thread(target=lambda: seen.extend(event.type for event in stream))
        reader.start()
        reader.join(0.05)
        waited = reader.is_alive() and len(seen) == 5
        gate.open()
        reader.join(5)

    assert counts == [1, 2, 3, 4, 5]
    assert waited
    assert seen[-1] == "response.completed"
    assert gate.sent == len(seen)


def test_a_stream_whose_client_left_takes_no_release(clients: Clients, provider: Provider) -> None:
    """A closed stream leaves the queue of the gate, so the next one gets the release."""
    with provider.gate() as gate, clients.anthropic() as client:
        left = client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
        )
        left.close()
        time.sleep(0.05)
        stream = client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
        )
        gate.release()
        first = next(iter(stream))
        gate.wait(1)

        assert (first.type, gate.sent) == ("message_start", 1)


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
    assert received.header("anthropic-version") == "2023-06-01"
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
