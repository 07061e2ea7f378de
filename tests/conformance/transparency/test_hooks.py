"""Event hooks, authentication and cookies of an application's own HTTP client."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, KEY, Caller, ask, each, settled
from tests.conformance.errors.caught import caught, hinted, refusal
from tests.conformance.fidelity.answers import answer
from tests.conformance.stage import Stage
from tests.conformance.transports import library
from tests.conformance.ways import plain, stream


def hooked(caller: Caller, on_request: Callable[[Any], None], on_response: Callable[[Any], None], **more: Any) -> Any:
    """Make an HTTP client with hooks of the kind that it takes."""
    lib = library(caller)

    async def on_request_async(request: Any) -> None:
        on_request(request)

    async def on_response_async(response: Any) -> None:
        on_response(response)

    if caller.is_async:
        hooks: dict[str, list[Any]] = {"request": [on_request_async] * 2, "response": [on_response_async]}
        return lib.AsyncClient(event_hooks=hooks, follow_redirects=True, **more)
    return lib.Client(
        event_hooks={"request": [on_request] * 2, "response": [on_response]}, follow_redirects=True, **more
    )


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_hooks_see_the_same_as_often_and_may_change_it(caller: Caller, stage: Stage, slept: list[float]) -> None:
    """Each attempt, its retries and redirects too; a header that a hook adds is on the request that comes back."""
    log: list[Any] = []

    def on_request(request: Any) -> None:
        request.headers["x-hooked"] = str(len(log))
        log.append(["request", request.method, request.url.path, request.headers["x-stainless-retry-count"]])

    def on_response(response: Any) -> None:
        response.headers["x-seen"] = "yes"
        read = hasattr(response, "_content")
        log.append(["response", response.status_code, response.request.headers["x-hooked"], response.is_closed, read])

    async def scenario(client: Any) -> Any:
        log.clear()
        view = await settled(_raw(client))
        seen_by_caller = [view.headers["x-seen"], view.http_response.request.headers["x-hooked"]]
        return [seen_by_caller, await each(await ask(client, stream=True)), log.copy()]

    path = "/v1/chat/completions" if caller.sdk == "openai" else "/v1/messages"
    answers = [hinted(caller, 503), Answer(307, headers=(("location", path),))]
    played = stage.play(
        caller, scenario, *answers, options=lambda: {"http_client": hooked(caller, on_request, on_response)}
    )

    assert played.recorded == played.unpatched
    assert played.replayed[:2] == played.unpatched[:2]
    assert [entry[0] for entry in played.unpatched[2]] == ["request", "request", "response"] * 4
    assert played.replayed[2] == played.unpatched[2]


def _raw(client: Any) -> Any:
    messages = [{"role": "user", "content": "hi"}]
    if hasattr(client, "chat"):
        return client.chat.completions.with_raw_response.create(model="gpt-4o", messages=messages)
    return client.messages.with_raw_response.create(model="claude-test", max_tokens=9, messages=messages)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize("reads", [False, True], ids=["unread", "read"])
def test_a_hook_that_raises_for_a_status_ends_the_call_as_without_us(
    caller: Caller, retries: int, reads: bool, stage: Stage, slept: list[float]
) -> None:
    """The pattern of HTTP code that knows no SDK. The answer is a row, so that the hook meets it again in replay."""

    def on_response(response: Any) -> None:
        response.raise_for_status()

    async def raise_for_status(response: Any) -> None:
        await response.aread()
        response.raise_for_status()

    def raise_for_status_sync(response: Any) -> None:
        response.read()
        response.raise_for_status()

    async def scenario(client: Any) -> Any:
        outcomes: list[Any] = []
        for way in (plain, stream):
            try:
                outcomes.append(await way(client))
            except Exception as error:  # noqa: BLE001  the SDK takes it for a broken connection, or lets it through
                outcomes.append([type(error).__qualname__, str(error).split(" for url ")[0]])
        return outcomes

    def options() -> dict[str, Any]:
        http = hooked(caller, lambda _request: None, on_response)
        if reads:
            http.event_hooks = {"response": [raise_for_status if caller.is_async else raise_for_status_sync]}
        return {"http_client": http, "max_retries": retries}

    played = stage.play(caller, scenario, *[refusal(caller, 500)] * 4, options=options)

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert set(played.statuses[:1]) == {500}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("whose", ["the HTTP client's", "the SDK's"])
def test_an_authentication_flow_runs_live_only(caller: Caller, whose: str, stage: Stage) -> None:
    """A 401, a token asked for, the same request once more: one row, and in replay no flow and the same answer."""
    lib = library(caller)
    flows: list[str] = []

    def flow(_self: Any, request: Any) -> Generator[Any, Any, None]:
        flows.append("begun")
        response = yield request
        if response.status_code == 401:
            token = yield lib.Request("POST", request.url.copy_with(path="/v1/models", query=b"token=1"))
            request.headers["x-api-key"] = request.headers["authorization"] = f"Bearer {token.status_code}-{KEY}"
            yield request

    auth: Any = type("Flow", (lib.Auth,), {"auth_flow": flow})

    def made(_self: Any, _security: Any) -> Any:
        return auth()

    kind = lib.AsyncClient if caller.is_async else lib.Client

    async def scenario(client: Any) -> Any:
        if whose == "the SDK's":
            given: dict[str, Any] = {"custom_auth": property(lambda _self: auth())}
            if caller.sdk == "openai":  # which asks itself by another name since version 3
                given["_custom_auth"] = made
            own: Any = client.__class__
            client.__class__ = type("Mine", (own,), given)
        return [await ask(client), await each(await ask(client, stream=True))]

    def options() -> dict[str, Any]:
        return {"http_client": kind(auth=auth() if whose == "the HTTP client's" else None), "max_retries": 0}

    played = stage.play(caller, scenario, refusal(caller, 401), options=options)

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert played.statuses == [200, 200]
    assert len(flows) == 4
    assert [request.path.rpartition("/")[2] for request in stage.provider.requests][1] == "models"


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_cookie_is_sent_with_the_next_request(caller: Caller, stage: Stage) -> None:
    """As without us while recording; kept on request, it is in the client's jar after a replay as well."""
    sent: list[Any] = []

    async def scenario(client: Any) -> Any:
        answers = [await ask(client), await ask(client, "again")]
        sent.append([request.header("cookie") for request in stage.provider.requests])
        return [answers, sorted((cookie.name, cookie.value) for cookie in client._client.cookies.jar)]

    cookies = (("set-cookie", "first=1; Path=/"), ("Set-Cookie", "second=2; Path=/; HttpOnly"))
    answers = [answer(caller, *cookies), answer(caller, ("set-cookie", "first=; Max-Age=0; Path=/"))]
    _, jar = stage.agree(caller, scenario, *answers, keep_headers=["set-cookie"])
    played = stage.play(caller, scenario, *answers)

    assert jar == [["second", "2"]]
    assert sent[0] == sent[1] == [None, "first=1; second=2"]
    assert played.replayed == [played.recorded[0], []]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_the_log_is_the_same(caller: Caller, stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    """The HTTP library's line for each request, with method, address, status and reason, live and replayed."""
    lines: list[list[str]] = []
    name = library(caller).__name__

    async def scenario(client: Any) -> Any:
        caplog.clear()
        with caplog.at_level(logging.INFO, logger=name):
            await caught(plain, client)
            await each(await ask(client, stream=True))
        base = str(client.base_url).rstrip("/")
        lines.append([record.getMessage().replace(base, "") for record in caplog.records if record.name == name])

    stage.play(caller, scenario, refusal(caller, 429), options=lambda: {"max_retries": 0})

    assert lines[1] == lines[0]
    assert lines[2] == lines[0]
    assert [line.partition('"')[2] for line in lines[0]] == ['HTTP/1.1 429 Too Many Requests"', 'HTTP/1.1 200 OK"']


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_hook_that_sends_again_is_refused_in_replay(caller: Caller, stage: Stage) -> None:
    """From inside of a sending nothing is recorded, so a replay has nothing for it, and must not ask the provider."""
    clients: list[Any] = []

    def on_response(response: Any) -> None:
        if response.status_code == 503:
            clients[-1].send(response.request)

    async def on_response_async(response: Any) -> None:
        if response.status_code == 503:
            await clients[-1].send(response.request)

    async def scenario(client: Any) -> Any:
        clients.append(client._client)
        return str(await caught(plain, client))

    def options() -> dict[str, Any]:
        http = hooked(caller, lambda _request: None, lambda _response: None)
        http.event_hooks = {"response": [on_response_async if caller.is_async else on_response]}
        return {"http_client": http, "max_retries": 0}

    unpatched = stage.live(caller, scenario, [refusal(caller, 503)], options)
    recorded, _ = stage.recorded(caller, scenario, [refusal(caller, 503)], options)

    assert recorded == unpatched
    assert stage.provider.hits == 2
    with pytest.raises(intercept.ConfigError, match="sends a request again while it is answered"):
        stage.replayed(caller, scenario, options)
