"""Clients of the application's own making: transports, hooks, cookies and the other HTTP library."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openai
import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.outcomes import seen

CHUNK = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "gpt-4o",
    "choices": [{"index": 0, "delta": {"content": "hello"}, "finish_reason": None}],
}
STREAMS = {
    "openai": f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n",
    "anthropic": 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":'
    '"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,'
    '"output_tokens":1}}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
}


def _library(caller: Caller) -> Any:
    """Return the HTTP library that the installed SDK uses."""
    return __import__(type(caller.client("http://127.0.0.1:9")._client).__mro__[-3].__module__.partition(".")[0])


def _in_memory(caller: Caller, handler: Callable[[Any], Any], **options: Any) -> Any:
    """Make a client over an in-memory transport, whose replies hold their whole body from the start."""
    library = _library(caller)
    kind = library.AsyncClient if caller.is_async else library.Client
    http = kind(transport=library.MockTransport(handler), **options)
    return caller.client("http://provider.invalid", http_client=http)


async def _streamed(client: Any) -> list[Any]:
    return await each(await ask(client, stream=True))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_preloaded_body_with_stream_is_recorded_whole(caller: Caller, cassette: Path) -> None:
    """Its stream yields nothing any more when it arrives; what it holds is recorded instead."""
    library = _library(caller)
    hits: list[str] = []

    def handler(request: Any) -> Any:
        hits.append(str(request.url))
        return library.Response(200, headers={"content-type": "text/event-stream"}, text=STREAMS[caller.sdk])

    unpatched = caller.run(_streamed, _in_memory(caller, handler))
    with intercept.use_cassette(cassette, mode="record") as session:
        recorded = caller.run(_streamed, _in_memory(caller, handler))
    with intercept.use_cassette(cassette):
        replayed = caller.run(_streamed, _in_memory(caller, handler))

    assert [played.end for played in session.calls] == ["complete"]
    assert seen(recorded) == seen(replayed) == seen(unpatched)
    assert len(hits) == 2


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_event_hooks_cookies_and_authentication_stay_the_clients_own(caller: Caller, cassette: Path) -> None:
    """Hooks run in replay too, once a request; an authentication flow does not, as it could ask for tokens."""
    library = _library(caller)
    log: list[str] = []

    def auth_flow(_self: Any, request: Any) -> Any:
        log.append("auth")
        yield request

    flow: Any = type("Flow", (library.Auth,), {"auth_flow": auth_flow})()

    def handler(_request: Any) -> Any:
        return library.Response(200, headers={"content-type": "text/event-stream"}, text=STREAMS[caller.sdk])

    def on_request(_request: Any) -> None:
        log.append("request")

    def on_response(response: Any) -> None:
        log.append(f"response {response.status_code}")

    async def on_request_async(request: Any) -> None:
        on_request(request)

    async def on_response_async(response: Any) -> None:
        on_response(response)

    hooks: dict[str, list[Any]] = {"request": [on_request], "response": [on_response]}
    if caller.is_async:
        hooks = {"request": [on_request_async], "response": [on_response_async]}
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(_streamed, _in_memory(caller, handler, event_hooks=hooks, auth=flow))
    live, log[:] = list(log), []
    with intercept.use_cassette(cassette):
        caller.run(_streamed, _in_memory(caller, handler, event_hooks=hooks, auth=flow))

    assert live == ["auth", "request", "response 200"]
    assert log == ["request", "response 200"]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_response_hook_that_reads_the_body_is_no_hindrance(caller: Caller, cassette: Path) -> None:
    """The body is there when `send` returns; it is recorded, and the application reads it as ever."""
    library = _library(caller)

    def handler(_request: Any) -> Any:
        return library.Response(200, headers={"content-type": "text/event-stream"}, text=STREAMS[caller.sdk])

    def read(response: Any) -> None:
        response.read()

    async def read_async(response: Any) -> None:
        await response.aread()

    hooks: dict[str, list[Any]] = {"response": [read_async if caller.is_async else read]}
    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(_streamed, _in_memory(caller, handler, event_hooks=hooks))
    with intercept.use_cassette(cassette):
        replayed = caller.run(_streamed, _in_memory(caller, handler, event_hooks=hooks))

    assert seen(replayed) == seen(recorded)
    assert recorded


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_other_traffic_on_the_same_library_passes_untouched(caller: Caller, cassette: Path) -> None:
    """A request that no SDK built is none of ours: it goes through in a replay, and is not recorded."""
    library = _library(caller)

    def handler(_request: Any) -> Any:
        return library.Response(200, json={"mine": True})

    transport = library.MockTransport(handler)
    cassette.parent.mkdir()
    cassette.write_bytes(b'{"kind":"intercept-cassette","v":1,"hash_version":1}\n')

    with intercept.use_cassette(cassette) as session, library.Client(transport=transport) as client:
        assert client.get("http://elsewhere.invalid/").json() == {"mine": True}

    assert session.calls == []


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_closed_client_says_so_itself(caller: Caller, provider: Any, cassette: Path) -> None:
    """The same error as without us, and no row is used."""
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))
    client = caller.client(provider.url, max_retries=0)

    async def closed(client: Any) -> Any:
        result = client.close()
        if result is not None:
            await result
        return await ask(client)

    with (
        pytest.raises(Exception, match=r"Connection error|has been closed"),
        intercept.use_cassette(cassette) as session,
    ):
        caller.run(closed, client)
    assert session.calls == []


@pytest.mark.skipif(int(openai.__version__.partition(".")[0]) < 3, reason="only openai 3 takes either library")
def test_one_cassette_serves_both_http_libraries(provider: Any, cassette: Path) -> None:
    """Recorded over httpx2, replayed over a legacy `httpx` client, with that library's own types."""
    httpx = pytest.importorskip("httpx")
    with (
        intercept.use_cassette(cassette, mode="record"),
        openai.OpenAI(base_url=provider.url + "/v1", api_key="k" * 20) as client,
    ):
        recorded = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])

    with intercept.use_cassette(cassette):
        legacy = openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="k" * 20, http_client=httpx.Client())
        raw = legacy.chat.completions.with_raw_response.create(model="m", messages=[{"role": "user", "content": "hi"}])
        legacy.close()

    assert isinstance(raw.http_response, httpx.Response)
    assert seen(raw.parse()) == seen(recorded)


@pytest.mark.parametrize("caller", CALLERS[:2], ids=str)
@pytest.mark.parametrize("reads", [True, False], ids=["read by the transport", "answered unread"])
def test_an_upload_is_known_by_its_whole_body(caller: Caller, reads: bool, cassette: Path) -> None:
    """Whether the transport takes it all in, or the server answers before it has seen any of it."""
    library = _library(caller)

    def respond(request: Any) -> Any:
        return library.Response(413, json={"error": {"message": "too large"}}, request=request)

    def handle(_self: Any, request: Any) -> Any:
        if reads:
            request.read()
        return respond(request)

    async def handle_async(_self: Any, request: Any) -> Any:
        if reads:
            await request.aread()
        return respond(request)

    plain: Any = type("Plain", (library.BaseTransport,), {"handle_request": handle})
    other: Any = type("Other", (library.AsyncBaseTransport,), {"handle_async_request": handle_async})

    async def upload(client: Any) -> Any:
        try:
            return await settled(client.files.create(file=("a.txt", b"x" * 70_000), purpose="assistants"))
        except openai.APIStatusError as error:
            return error

    def client() -> Any:
        http = library.AsyncClient(transport=other()) if caller.is_async else library.Client(transport=plain())
        return caller.client("http://provider.invalid", http_client=http, max_retries=0)

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(upload, client())
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(upload, client())

    assert [played.status for played in session.calls] == [413]
    assert seen(replayed) == seen(recorded)
