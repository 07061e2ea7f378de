"""One question, asked by many routes: whichever recorded it, every other one replays it."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, each, entered, settled
from tests.conformance.operations.questions import CHAT, MESSAGE
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.views import helped

Route = Callable[[Any], Awaitable[Any]]
ROUTES: dict[str, dict[str, Route]] = {"messages": {}, "chat": {}, "responses": {}}
RESPONSE: Any = {"model": "gpt-4o", "input": "What is it?"}


def route(api: str) -> Callable[[Route], Route]:
    """Enter a route into the table."""

    def enter(function: Route) -> Route:
        ROUTES[api][getattr(function, "__name__", "")] = function
        return function

    return enter


@route("messages")
async def message_events(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return await each(stream)


@route("messages")
async def message_texts(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return await each(stream.text_stream)


@route("messages")
async def final_message(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return await settled(stream.get_final_message())


@route("messages")
async def final_text(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        return await settled(stream.get_final_text())


@route("messages")
async def message_until_done(client: Any) -> Any:
    async with entered(client.messages.stream(**MESSAGE)) as stream:
        await settled(stream.until_done())
        return stream.current_message_snapshot


@route("messages")
async def message_created(client: Any) -> Any:
    return await each(await settled(client.messages.create(**MESSAGE, stream=True)))


@route("messages")
async def message_lines(client: Any) -> Any:
    async with entered(client.messages.with_streaming_response.create(**MESSAGE, stream=True)) as response:
        return await each(response.iter_lines())


@route("chat")
async def chat_events(client: Any) -> Any:
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        return [event.type for event in await each(stream)]


@route("chat")
async def final_chat(client: Any) -> Any:
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        return await settled(stream.get_final_completion())


@route("chat")
async def chat_until_done(client: Any) -> Any:
    async with entered(client.chat.completions.stream(**CHAT)) as stream:
        await settled(stream.until_done())
        return stream.current_completion_snapshot


@route("chat")
async def chat_created(client: Any) -> Any:
    return await each(await settled(client.chat.completions.create(**CHAT, stream=True)))


@route("chat")
async def chat_lines(client: Any) -> Any:
    async with entered(client.chat.completions.with_streaming_response.create(**CHAT, stream=True)) as response:
        return await each(response.iter_lines())


@route("responses")
async def response_events(client: Any) -> Any:
    async with entered(client.responses.stream(**RESPONSE)) as stream:
        return [event.type for event in await each(stream)]


@route("responses")
async def final_response(client: Any) -> Any:
    async with entered(client.responses.stream(**RESPONSE)) as stream:
        return await settled(stream.get_final_response())


@route("responses")
async def response_until_done(client: Any) -> Any:
    async with entered(client.responses.stream(**RESPONSE)) as stream:
        return await settled(stream.until_done()) is stream


@route("responses")
async def response_created(client: Any) -> Any:
    return await each(await settled(client.responses.create(**RESPONSE, stream=True)))


@route("responses")
async def response_lines(client: Any) -> Any:
    async with entered(client.responses.with_streaming_response.create(**RESPONSE, stream=True)) as response:
        return await each(response.iter_lines())


def _callers(api: str) -> list[Caller]:
    return [caller for caller in CALLERS if caller.sdk == ("anthropic" if api == "messages" else "openai")]


CELLS = [
    pytest.param(api, caller, name, id=f"{caller}-{name}")
    for api, routes in ROUTES.items()
    for caller in _callers(api)
    for name in routes
]


@pytest.mark.parametrize(("api", "recorder", "recording"), CELLS)
def test_what_one_route_recorded_every_other_replays(api: str, recorder: Caller, recording: str, runs: Runs) -> None:
    """By a synchronous client or an asynchronous one; to each it is what the provider would have told it."""
    told: dict[str, Any] = {}
    hashes: set[str] = set()
    for name, route_ in ROUTES[api].items():
        told[name] = runs.once("off", recorder, route_)
    runs.once("record", recorder, ROUTES[api][recording])

    for name, route_ in ROUTES[api].items():
        for caller in _callers(api):
            assert (name, runs.once("replay", caller, route_)) == (name, told[name])
            hashes |= {played.request_hash for played in runs.calls["replay"]}

    assert hashes == {row["request_hash"] for row in runs.rows}
    assert len(runs.rows) == 1


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_recording_is_the_same_of_either_client(caller: Caller, runs: Runs) -> None:
    """Synchronous or not: the same rows, and each replays what the other recorded."""
    other = next(one for one in CALLERS if one.sdk == caller.sdk and one.is_async != caller.is_async)

    async def scenario(client: Any) -> Any:
        return [await each(await ask(client, stream=True)), await ask(client)]

    second = runs.elsewhere("other")

    recorded = runs.once("record", caller, scenario)
    assert second.once("record", other, scenario) == recorded
    assert runs.once("replay", other, scenario) == recorded
    assert second.once("replay", caller, scenario) == recorded
    assert [row | {"test": None} for row in runs.rows] == [row | {"test": None} for row in second.rows]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_helper_that_is_not_entered_asks_nothing(caller: Caller, runs: Runs) -> None:
    """Nothing is recorded of it, and no warning comes of it that the SDK alone would not give."""

    async def scenario(client: Any) -> Any:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            helped(client)
            gc.collect()
        await ask(client)
        return [str(warning.message) for warning in told]

    runs.compare(caller, scenario)

    assert runs.provider.hits == len(runs.rows) == 1
