"""HTTP clients of an application's own: closed, unreachable, behind mounts and proxies."""

from __future__ import annotations

import socket
from typing import Any

import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.errors.caught import ERRORS
from tests.conformance.fidelity.answers import body
from tests.conformance.stage import Stage
from tests.conformance.transports import http_client, library, read, transport
from tests.conformance.ways import WAYS, Way, name


def failure(error: BaseException | None) -> Any:
    """Describe an error by its chain of causes."""
    if error is None:
        return None
    return [type(error).__module__, type(error).__qualname__, str(error), failure(error.__cause__)]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_a_closed_client_fails_as_without_us(caller: Caller, way: Way, stage: Stage) -> None:
    """In every way of asking: the same error of the SDK with the same causes, and no row is used or made."""
    stage.recorded(caller, way)

    async def scenario(client: Any) -> Any:
        await settled(client.close())
        try:
            return await way(client)
        except (*ERRORS, RuntimeError) as error:
            return failure(error)

    def options() -> dict[str, Any]:
        return {"max_retries": 0}

    unpatched = stage.live(caller, scenario, (), options)
    replayed, replay = stage.replayed(caller, scenario, options)
    with (
        pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"),
        intercept.use_cassette(stage.cassette, mode="record") as recording,
    ):
        recorded = stage.live(caller, scenario, (), options)

    assert "closed" in str(unpatched)
    assert recorded == replayed == unpatched
    assert replay.calls == recording.calls == []


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=name)
def test_an_unreachable_provider_fails_as_without_us(
    caller: Caller, way: Way, stage: Stage, slept: list[float]
) -> None:
    """Each try is an attempt that the session lists; none has a row, and the old cassette stays."""
    stage.recorded(caller, way)
    before = stage.cassette.read_bytes()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound, and not listening
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"

        async def scenario(client: Any) -> Any:
            try:
                return await way(client)
            except ERRORS as error:
                return failure(error)

        unpatched = caller.run(scenario, caller.client(url, max_retries=2))
        waits = slept.copy()
        slept.clear()
        with intercept.use_cassette(stage.cassette, mode="record") as session:
            recorded = caller.run(scenario, caller.client(url, max_retries=2))

    assert unpatched[1] == "APIConnectionError"
    assert recorded == unpatched
    assert slept == waits
    assert [call.status for call in session.calls] == [None, None, None]
    assert stage.cassette.read_bytes() == before


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_mounts_and_proxies_are_not_asked_in_replay(caller: Caller, stage: Stage) -> None:
    """A request goes through them while recording; a replay needs neither them nor their hosts."""
    lib = library(caller)
    met: list[str] = []

    async def handler(request: Any) -> Any:
        met.append(str(request.url))
        await read(request)
        return lib.Response(200, json=body(caller), headers={"x-request-id": "req_1", "request-id": "req_1"})

    async def scenario(client: Any) -> Any:
        return await ask(client)

    kind = lib.AsyncClient if caller.is_async else lib.Client

    def mounted() -> dict[str, Any]:
        return {"http_client": kind(mounts={"http://": transport(caller, handler)})}

    def proxied() -> dict[str, Any]:
        return {"http_client": kind(proxy="http://proxy.invalid:1")}

    played = stage.play(caller, scenario, options=mounted)
    behind, _ = stage.replayed(caller, scenario, proxied)

    assert played.recorded == played.replayed == played.unpatched == behind
    assert len(met) == 2
    assert stage.provider.hits == 0


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_an_answer_that_is_in_memory_already_is_recorded(caller: Caller, stage: Stage) -> None:
    """A transport of one's own gives text, JSON, bytes or pieces; errors too. A replay does not ask it."""
    lib = library(caller)
    asked: list[int] = []
    made = {
        "json": lambda: lib.Response(200, json=body(caller)),
        "bytes": lambda: lib.Response(200, content=b'{"id":"x","choices":[],"content":[]}'),
        "text": lambda: lib.Response(200, text='{"id":"x"}', headers={"content-type": "application/json"}),
        "pieces": lambda: lib.Response(
            200, content=iter([b'{"id":', b'"y"}']), headers={"content-type": "application/json"}
        ),
        "error": lambda: lib.Response(418, html="<h1>No</h1>"),
        "nothing": lambda: lib.Response(500),
    }
    if caller.is_async:
        del made["pieces"]

    async def handler(request: Any) -> Any:
        asked.append(1)
        await read(request)
        return made[request.headers["x-form"]]()

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for form in made:
            for streaming in (False, True):
                try:
                    answer = await ask(client, form, extra_headers={"x-form": form}, stream=streaming)
                    outcomes[f"{form} {streaming}"] = await each(answer) if streaming else answer
                except (*ERRORS, AttributeError, ValueError) as error:
                    outcomes[f"{form} {streaming}"] = [type(error).__qualname__, str(error)]
        return outcomes

    outcomes = stage.agree(
        caller, scenario, options=lambda: {"http_client": http_client(caller, handler), "max_retries": 0}
    )

    assert len(asked) == 4 * len(made)
    assert outcomes["error False"][0] == "APIStatusError"
