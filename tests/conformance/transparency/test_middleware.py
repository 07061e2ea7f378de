"""What stands between an SDK and the wire, and sends again: each sending is an attempt, recorded and replayed."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anthropic
import pytest

from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.errors.caught import refusal
from tests.conformance.stage import Stage
from tests.conformance.transports import library

ANTHROPIC = CALLERS[2:]
takes_middleware = pytest.mark.skipif(
    "middleware" not in inspect.signature(anthropic.Anthropic.__init__).parameters,
    reason="this anthropic takes no middleware",
)


def _sending(caller: Caller, first: Any, then: Any) -> Any:
    """Make a middleware of two plain functions: what to send, and whether to send it once more."""

    def middleware(request: Any, call_next: Any) -> Any:
        response = call_next(first(request))
        return call_next(request) if then(response) else response

    async def middleware_async(request: Any, call_next: Any) -> Any:
        response = await call_next(first(request))
        return await call_next(request) if then(response) else response

    return middleware_async if caller.is_async else middleware


@takes_middleware
@pytest.mark.parametrize("caller", ANTHROPIC, ids=str)
@pytest.mark.parametrize("streaming", [False, True], ids=["plain", "stream"])
def test_a_middleware_that_asks_again_makes_two_rows(caller: Caller, streaming: bool, stage: Stage) -> None:
    """It changes what is sent, sees each answer, and sends once more; the identity is what went over the wire."""
    log: list[Any] = []

    def first(request: Any) -> Any:
        return request.copy(body={**request.json, "model": "claude-other"})

    def then(response: Any) -> bool:
        log.append((response.status_code, response.request_id))
        return bool(response.status_code == 503)

    async def scenario(client: Any) -> Any:
        log.clear()
        result = await ask(client, stream=streaming)
        return [await each(result) if streaming else result, log.copy()]

    played = stage.play(
        caller,
        scenario,
        refusal(caller, 503),
        options=lambda: {"middleware": [_sending(caller, first, then)], "max_retries": 0},
    )

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.statuses == [503, 200]
    assert [call.call.model for call in played.replay.calls] == ["claude-other", "claude-test"]


def _refused(streaming: bool) -> Answer:
    """Return an answer in which the model refuses before it says anything."""
    message: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test"}
    message |= {"content": [], "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 0}}
    if not streaming:
        return Answer(200, {**message, "stop_reason": "refusal"})
    events: list[Any] = [
        {"type": "message_start", "message": {**message, "stop_reason": None}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "refusal", "stop_sequence": None},
            "usage": {"output_tokens": 0},
        },
        {"type": "message_stop"},
    ]
    return Answer.sse([(event["type"], event) for event in events])


@takes_middleware
@pytest.mark.parametrize("caller", ANTHROPIC, ids=str)
@pytest.mark.parametrize("streaming", [False, True], ids=["plain", "stream"])
def test_the_sdks_own_fallback_asks_another_model(caller: Caller, streaming: bool, stage: Stage) -> None:
    """Where it streams, the second request goes out while the caller iterates, after `create` has returned."""
    sdk: Any = anthropic
    fallback = sdk.BetaRefusalFallbackMiddleware([{"model": "claude-fallback"}])

    async def scenario(client: Any) -> Any:
        create = client.beta.messages.create
        messages = [{"role": "user", "content": "hi"}]
        with sdk.BetaFallbackState():
            result = await settled(create(model="claude-test", max_tokens=9, messages=messages, stream=streaming))
            return await each(result) if streaming else result

    played = stage.play(caller, scenario, _refused(streaming), options=lambda: {"middleware": [fallback]})

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert [call.call.model for call in played.replay.calls] == ["claude-test", "claude-fallback"]
    assert "claude-fallback" in str(played.unpatched)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_client_that_sends_again_by_itself_makes_two_rows(caller: Caller, stage: Stage) -> None:
    """An HTTP client of one's own whose `send` calls the library's twice, with the very same request."""
    lib = library(caller)

    def send(self: Any, request: Any, **options: Any) -> Any:
        response = lib.Client.send(self, request, **options)
        return lib.Client.send(self, request, **options) if response.status_code == 503 else response

    async def send_async(self: Any, request: Any, **options: Any) -> Any:
        response = await lib.AsyncClient.send(self, request, **options)
        return await lib.AsyncClient.send(self, request, **options) if response.status_code == 503 else response

    kind: Any = type("Mine", (lib.Client,), {"send": send})
    kind_async: Any = type("Mine", (lib.AsyncClient,), {"send": send_async})

    async def scenario(client: Any) -> Any:
        return [await ask(client), await each(await ask(client, stream=True))]

    played = stage.play(
        caller,
        scenario,
        refusal(caller, 503),
        options=lambda: {"http_client": (kind_async if caller.is_async else kind)(), "max_retries": 0},
    )

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.statuses == [503, 200, 200]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.filterwarnings("ignore:.*ended without its terminal")
def test_a_client_that_asks_on_while_the_caller_reads_makes_two_rows(caller: Caller, stage: Stage) -> None:
    """The second request goes out from inside the first one's body, when the SDK's call is long over."""
    lib = library(caller)

    body: Any = type("Body", (lib.SyncByteStream, lib.AsyncByteStream), {})

    class Joined(body):  # type: ignore[misc]
        """The body of an answer, and after it that of the same question asked once more."""

        def __init__(self, client: Any, response: Any) -> None:
            self.client, self.request, self.inner = client, response.request, response.stream
            self.over = False  # an SDK may look whether anything follows

        def __iter__(self) -> Iterator[bytes]:
            if self.over:
                return
            self.over = True
            yield from self.inner
            yield from lib.Client.send(self.client, self.request, stream=True).stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            if self.over:
                return
            self.over = True
            async for chunk in self.inner:
                yield chunk
            response = await lib.AsyncClient.send(self.client, self.request, stream=True)
            async for chunk in response.stream:
                yield chunk

    def send(self: Any, request: Any, **options: Any) -> Any:
        response = lib.Client.send(self, request, **options)
        response.stream = Joined(self, response)
        return response

    async def send_async(self: Any, request: Any, **options: Any) -> Any:
        response = await lib.AsyncClient.send(self, request, **options)
        response.stream = Joined(self, response)
        return response

    kind: Any = type("Mine", (lib.Client,), {"send": send})
    kind_async: Any = type("Mine", (lib.AsyncClient,), {"send": send_async})

    async def scenario(client: Any) -> Any:
        return await each(await ask(client, stream=True))

    event: tuple[str | None, Any] = (None, {"id": "c", "object": "chat.completion.chunk", "choices": []})
    if caller.sdk == "anthropic":
        event = ("content_block_stop", {"type": "content_block_stop", "index": 7})
    played = stage.play(
        caller,
        scenario,
        Answer.sse([event]),
        options=lambda: {"http_client": (kind_async if caller.is_async else kind)()},
    )

    assert len(played.unpatched) > 2
    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.statuses == [200, 200]
