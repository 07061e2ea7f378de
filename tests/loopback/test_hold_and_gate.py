"""Holding requests and gating streams: the test decides what is answered when."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import openai

    from intercept.loopback import Provider

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
        provider.left.wait(1)
        stream = client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
        )
        gate.release()
        first = next(iter(stream))
        gate.wait(1)

        assert (first.type, gate.sent) == ("message_start", 1)
        assert list(provider.left) == provider.requests[:1]


def test_a_client_that_gives_up_waiting_is_seen_to_leave(clients: Clients, provider: Provider) -> None:
    """Before the head as within a stream; one that got all of its answer has not left."""
    with pytest.raises(TimeoutError, match="0 of 1 clients"):
        provider.left.wait(1, timeout=0.01)

    async def run() -> None:
        async with clients.async_openai() as client:
            await client.responses.create(model="m", input="hi")
            with provider.hold() as held:
                asking = asyncio.create_task(client.responses.create(model="m", input="hi"))
                await asyncio.to_thread(held.wait, 1)
                asking.cancel()
                await asyncio.wait({asking})
                await asyncio.to_thread(provider.left.wait, 1)

    asyncio.run(run())

    assert [request.path for request in provider.left] == ["/v1/responses"]
    assert provider.left[:1] == provider.requests[1:]
    provider.reset()
    assert len(provider.left) == 0
