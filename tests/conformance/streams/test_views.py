"""What else an application sees of a stream: class, response, bytes, and what is left when it is used up."""

from __future__ import annotations

import asyncio
import gc
import itertools
import weakref
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, entered, settled
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.steps import begun, following, rest, taken, until_it_breaks
from tests.conformance.streams.views import opened

PROTOCOLS = (
    *("__iter__", "__next__", "__enter__", "__exit__", "close"),
    *("__aiter__", "__anext__", "__aenter__", "__aexit__", "aclose"),
)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_is_the_sdks_own(caller: Caller, runs: Runs) -> None:
    """Of its public class, with its protocols and no others."""
    module = openai if caller.sdk == "openai" else anthropic
    kind = module.AsyncStream if caller.is_async else module.Stream

    async def scenario(client: Any) -> Any:
        stream = await ask(client, stream=True)
        await each(stream)
        assert type(stream) is kind
        return [[name for name in PROTOCOLS if hasattr(stream, name)], sorted(vars(stream))]

    names, _ = runs.compare(caller, scenario)

    assert "__aiter__" in names if caller.is_async else "__iter__" in names
    assert set(names) < set(PROTOCOLS)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_the_response_of_a_stream_is_the_same(caller: Caller, runs: Runs) -> None:
    """Before it is read, while it is read, and after: what it says of the answer, of its state and of its request."""

    def told(response: Any) -> dict[str, Any]:
        request = response.request
        volatile = ("host", "authorization", "x-api-key", "x-stainless-read-timeout")
        return {
            "kind": f"{type(response).__module__}.{type(response).__qualname__}",
            "status": (response.status_code, response.reason_phrase, response.http_version, response.is_success),
            "headers": {name: response.headers.get(name) for name in ("content-type", "x-request-id", "request-id")},
            "encoding": (response.encoding, response.charset_encoding),
            "state": (response.is_closed, response.is_stream_consumed, response.history, response.next_request),
            "bytes": response.num_bytes_downloaded if response.is_closed else None,
            "request": (request.method, request.url.path, request.content),
            "sent": sorted(pair for pair in request.headers.items() if pair[0] not in volatile),
        }

    async def scenario(client: Any) -> Any:
        stream = await ask(client, stream=True)
        before = told(stream.response)
        await taken(begun(stream), 1)
        between = told(stream.response)
        await each(stream)
        return [before, between, told(stream.response)]

    before, _, after = runs.compare(caller, scenario)

    assert before["state"][:2] == [False, False]
    assert after["state"][:2] == [True, True]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", ["read", "closed unread"])
def test_a_used_up_stream_behaves_as_the_sdks_does(caller: Caller, way: str, runs: Runs) -> None:
    """Iterated again, asked for one more event, and closed again."""

    async def scenario(client: Any) -> Any:
        stream = await ask(client, stream=True)
        if way == "read":
            await each(stream)
        else:
            await settled(stream.close())
        again = await until_it_breaks(stream)
        with pytest.raises((StopAsyncIteration, RuntimeError)) as more:  # the latter is what becomes of a StopIteration
            await following(stream)
        await settled(stream.close())
        return [again, more.value, stream.response.is_closed]

    again, _, closed = runs.compare(caller, scenario, ends=["complete" if way == "read" else "closed"])

    assert (again == []) == (way == "read")
    assert closed


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize(("view", "size"), [*itertools.product(["bytes", "text"], [None, 7, 100_000]), ("lines", None)])
def test_the_views_of_a_response_give_the_same(caller: Caller, view: str, size: int | None, runs: Runs) -> None:
    """Its bytes, its text and its lines, in the sizes that are asked for; nothing is left for a second reading."""
    how = () if size is None else (size,)

    async def scenario(client: Any) -> Any:
        async with entered(opened(client)) as response:
            pieces = await each(getattr(response, f"iter_{view}")(*how))
            again = await until_it_breaks(getattr(response, f"iter_{view}")(*how))
        # Without a size the library gives pieces as they come over the wire.
        joined = "".join(pieces) if view == "text" else b"".join(pieces) if view == "bytes" else pieces
        return [joined if size is None else pieces, again, response.status_code, response.is_closed]

    pieces, *_ = runs.compare(caller, scenario)

    assert pieces


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_response_left_in_its_middle_keeps_the_events_it_gave(caller: Caller, runs: Runs) -> None:
    """Its first lines replay as they were read."""

    async def scenario(client: Any) -> Any:
        with runs.provider.gate() as gate:
            gate.release(1)
            async with entered(opened(client)) as response:
                lines = await taken(begun(response.iter_lines()), 2)
            await runs.left()
        return lines

    runs.compare(caller, scenario, ends=["closed"])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("left", ["read", "closed", "unread"])
def test_a_recording_keeps_no_response_alive(caller: Caller, left: str, provider: Provider, cassette: Path) -> None:
    """What the application lets go of is gone while the session is still active, and its row is written."""

    async def asked(client: Any) -> Any:
        stream = await ask(client, stream=True)
        if left == "read":
            await rest(begun(stream))
        if left == "closed":
            await settled(stream.close())
        return weakref.ref(stream.response), weakref.ref(stream.response.stream)

    async def scenario(client: Any) -> Any:
        kept = await asked(client)
        for _ in range(30):  # an asynchronous generator is finished by the event loop, in several steps
            gc.collect()
            await asyncio.sleep(0)
            if not any(reference() for reference in kept):
                break
        return [reference() for reference in kept]

    with intercept.use_cassette(cassette, mode="record") as session:
        alive = caller.run(scenario, caller.client(provider.url))
        ends = [played.end for played in session.calls]

    assert alive == [None, None]
    assert ends == ["complete" if left == "read" else "closed"]
