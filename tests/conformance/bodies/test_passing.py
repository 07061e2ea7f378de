"""Upload bodies on their way out: unread until the transport draws them, and whole each time they are sent."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import anthropic
import openai
import pytest

from intercept.loopback import Answer
from tests.conformance.bodies.uploading import CONTENT, OneShot, left, upload
from tests.conformance.callers import CALLERS, Caller, Scenario
from tests.conformance.outcomes import seen
from tests.conformance.stage import Stage
from tests.conformance.transports import http_client, library, read

RETRIED = Answer(500, {"error": {"message": "Again."}}, (("retry-after-ms", "1"),))
FILES: dict[str, Callable[[], Any]] = {
    "bytes": lambda: ("a.bin", CONTENT),
    "file": lambda: ("a.bin", io.BytesIO(CONTENT)),
    "one-shot": lambda: ("a.bin", OneShot()),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_the_transport_sees_the_body_unread(caller: Caller, stage: Stage) -> None:
    """It finds a stream of the same kinds as without us, nothing of it drawn; in replay it is not asked."""
    lib = library(caller)
    met: list[Any] = []

    async def handler(request: Any) -> Any:
        try:
            content: Any = request.content
        except lib.RequestNotRead:
            content = "unread"
        kinds = [isinstance(request.stream, kind) for kind in (lib.SyncByteStream, lib.AsyncByteStream)]
        arrived = await read(request)
        met.append([content, kinds, len(arrived), CONTENT in arrived, request.headers.get("content-length")])
        return lib.Response(200, json={"id": "file_1", "filename": "a.bin"}, request=request)

    async def scenario(client: Any) -> Any:
        files = {form: make() for form, make in FILES.items()}
        return {form: [await upload(client, file), left(file)] for form, file in files.items()}

    played = stage.play(caller, scenario, options=lambda: {"http_client": http_client(caller, handler)})

    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    assert len(met) == 6
    assert met[:3] == met[3:]
    assert [(unread, whole) for unread, _, _, whole, _ in met[:3]] == [("unread", True)] * 3


async def _drawn(request: Any, extent: str) -> bytes:
    """Draw as much of a request's body as the server wants before it answers."""
    if extent == "nothing":
        return b""
    if extent == "all of it":
        return await read(request)
    if hasattr(request.stream, "__iter__"):
        return bytes(next(iter(request.stream)))
    async for chunk in request.stream:
        return bytes(chunk)
    return b""


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("extent", ["nothing", "a piece", "all of it"])
@pytest.mark.parametrize("first", ["503", "413", "ConnectError"])
def test_an_upload_answered_early_is_sent_again_as_without_us(
    caller: Caller, extent: str, first: str, stage: Stage, slept: list[float]
) -> None:
    """An answer or a broken connection before, while or after the body is read: then the SDK sends what it would send.

    Nothing is drawn from a file behind the SDK's back, where a second attempt may need it.
    """
    lib = library(caller)
    arrived: list[int] = []

    async def handler(request: Any) -> Any:
        if len(arrived) % 2:
            arrived.append((await read(request)).count(CONTENT))
            return lib.Response(200, json={"id": "file_1", "filename": "a.bin"})
        arrived.append((await _drawn(request, extent)).count(CONTENT))
        if first == "ConnectError":
            raise lib.ConnectError("No.", request=request)
        return lib.Response(int(first), headers={"retry-after-ms": "1"}, json={"error": {"message": "No."}})

    def uploading(forms: Iterable[str]) -> Scenario:
        async def scenario(client: Any) -> Any:
            outcomes: dict[str, Any] = {}
            for form in forms:
                arrived.clear()
                file = FILES[form]()
                try:
                    result = seen(await upload(client, file))
                except (openai.OpenAIError, anthropic.AnthropicError) as error:
                    result = [type(error).__qualname__, str(error)]
                outcomes[form] = [result, None if form == "one-shot" else left(file), arrived.copy()]
            return outcomes

        return scenario

    def options() -> dict[str, Any]:
        return {"http_client": http_client(caller, handler), "max_retries": 1}

    unpatched = stage.live(caller, uploading(FILES), (), options)
    recorded, _ = stage.recorded(caller, uploading(FILES), (), options)
    # Nobody knows the whole of a body that was given up, unread, to a second attempt.
    replayed, _ = stage.replayed(caller, uploading(FILES if first == "413" else ("bytes", "file")), options)

    assert recorded == unpatched
    assert {form: outcome[0] for form, outcome in replayed.items()} == {form: unpatched[form][0] for form in replayed}
