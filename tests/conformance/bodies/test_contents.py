"""Bodies of an application's own making, given to `client.post` as bytes, files and iterators."""

from __future__ import annotations

import inspect
import io
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer
from tests.conformance.bodies.uploading import OneShot, framing
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.errors.caught import ERRORS
from tests.conformance.stage import Stage
from tests.conformance.versions import skip_as_it_lacks

TEXT = b'{"a": "caf\xc3\xa9", "b": [1, 1.0]}\r\n'


def _generated() -> Iterator[bytes]:
    yield TEXT[:7]
    yield b""
    yield TEXT[7:]


async def _generated_async() -> AsyncIterator[bytes]:
    for piece in _generated():
        yield piece


FORMS: dict[str, Callable[[], Any]] = {
    "bytes": lambda: TEXT,
    "list": lambda: [*_generated()],
    "tuple": lambda: (*_generated(),),
    "iterator": lambda: iter([*_generated()]),
    "generator": _generated,
    "async generator": _generated_async,
    "buffer": lambda: io.BytesIO(TEXT),
    "one-shot": lambda: OneShot(TEXT),
    "nothing": lambda: b"",
    "no UTF-8": lambda: b"\xff\x00\xfe",
}


async def _post(client: Any, content: Any) -> Any:
    options = {"headers": {"content-type": "application/octet-stream"}}
    path = "/v1/mine" if "anthropic" in type(client).__module__ else "/mine"
    return await settled(client.post(path, cast_to=object, content=content, options=options))


def _skip_without_content(caller: Caller, stage: Stage) -> None:
    client = caller.client(stage.provider.url)
    if "content" not in inspect.signature(client.post).parameters:
        skip_as_it_lacks(client, "`content=`")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_content_of_any_form_arrives_whole(caller: Caller, stage: Stage) -> None:
    """An iterator is used up once, by the transport; what arrives, and how its length is told, is as without us."""
    _skip_without_content(caller, stage)
    arrived: list[Any] = []

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for form, make in FORMS.items():
            hits = stage.provider.hits
            try:
                outcomes[form] = await _post(client, make())
            except (*ERRORS, TypeError, RuntimeError) as error:
                outcomes[form] = [type(error).__qualname__, str(error)]
            arrived.extend((form, request.body, framing(request)) for request in stage.provider.requests[hits:])
        return outcomes

    answers = [Answer(200, {"n": number}) for number in range(len(FORMS))]
    outcomes = stage.agree(caller, scenario, *answers, options=lambda: {"max_retries": 0})

    half = len(arrived) // 2
    assert arrived[:half] == arrived[half:]
    assert {form for form, content, _ in arrived if content == TEXT} >= (
        {"bytes", "async generator"} if caller.is_async else {"bytes", "list", "generator", "buffer", "one-shot"}
    )
    assert outcomes["bytes"] == {"n": 0}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_content_counts_by_its_bytes_alone(caller: Caller, stage: Stage) -> None:
    """In another form it is the same request; with other bytes it is another."""
    _skip_without_content(caller, stage)

    async def piecewise() -> AsyncIterator[bytes]:
        for piece in (b"\xff", b"\x00\xfe"):
            yield piece

    def posting(content: Any) -> Any:
        async def scenario(client: Any) -> Any:
            return await _post(client, content())

        return scenario

    recorded, _ = stage.recorded(caller, posting(lambda: b"\xff\x00\xfe"), [Answer(200, {"n": 1})])
    again, _ = stage.replayed(caller, posting(piecewise if caller.is_async else lambda: [b"\xff", b"\x00\xfe"]))

    assert again == recorded == {"n": 1}
    with pytest.raises(intercept.NeverRecorded):
        stage.replayed(caller, posting(lambda: b"\xff\x00\xff"))
