"""Each recording, served on this machine, goes through the real SDKs as it was recorded, with nothing patched."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, cast

import pytest

from intercept.loopback import Answer, Provider

from .clients import async_client_for, client_for
from .corpus import ABSENT, folder
from .drive import ask, ask_async, outcome, raw, raw_async
from .endpoints import covered
from .questions import MENDED
from .uploads import is_upload, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .recording import Recording

pytestmark = [
    pytest.mark.slow,  # what the loader does unpatched; recording and replay ask the same of it, quickly
    pytest.mark.skipif(folder() is None, reason=ABSENT),
    # The recordings are years old, and so are their models.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

Driven = tuple[Any, bytes]
"""The outcome of the call as an application makes it, and the bytes of a second one."""


def _sync(recording: Recording, url: str) -> Driven:
    with client_for(recording, url) as client:
        return outcome(ask(client, recording)), raw(client, recording)


def _async(recording: Recording, url: str) -> Driven:
    async def both() -> Driven:
        async with async_client_for(recording, url) as client:
            return outcome(await ask_async(client, recording)), await raw_async(client, recording)

    return asyncio.run(both())


BROKEN = {"pydantic__pydantic-ai/test_openrouter_stream_error.yaml": 3, "vercel__ai/openai-error.1.chunks.txt": 2}
"""Streams with an error in them, by file, and how many events come before it."""


def _name(recording: Recording) -> str:
    return recording.name


every_covered = pytest.mark.parametrize("recording", covered(), ids=_name)
both_worlds = pytest.mark.parametrize("drive", [_sync, _async], ids=["sync", "async"])


@pytest.fixture(scope="module")
def server() -> Iterator[Provider]:
    """The project's own server on this machine."""
    with Provider() as provider:
        yield provider


@pytest.fixture
def served(server: Provider, recording: Recording) -> Provider:
    """The server, about to give the recording's answer twice."""
    answer = Answer(status=recording.status, headers=recording.headers, body=recording.body)
    server.reset()
    server.answer(answer, answer)
    return server


@both_worlds
@every_covered
def test_the_sdk_asks_and_gets_what_was_recorded(
    served: Provider, recording: Recording, drive: Callable[..., Driven]
) -> None:
    """Method, path, fields and bytes are the recorded ones, and a refusal is the SDK's error of its status."""
    result, received = drive(recording, served.url)

    for asked in served.requests:
        assert (asked.method, _path(asked.path)) == (recording.method, recording.path)
        assert _sent(asked.body, asked.header("content-type")) == _recorded(recording)
    assert len(served.requests) == 2
    assert received == recording.body
    assert _status(result) == (recording.status if recording.status >= 400 else None)
    assert json.loads(json.dumps(result)) == result


@every_covered
def test_sync_and_async_come_to_the_same(served: Provider, recording: Recording) -> None:
    """Down to the names of the types."""
    with client_for(recording, served.url) as client:
        one = outcome(ask(client, recording))

    async def other() -> Any:
        async with async_client_for(recording, served.url) as client:
            return outcome(await ask_async(client, recording))

    assert asyncio.run(other()) == one


@both_worlds
@pytest.mark.parametrize(
    ("recording", "before"),
    [
        pytest.param(found, before, id=file)
        for file, before in BROKEN.items()
        for found in covered()
        if found.file == file
    ],
)
def test_an_error_in_a_stream_comes_after_the_events_before_it(
    served: Provider, recording: Recording, before: int, drive: Callable[..., Driven]
) -> None:
    """The SDK's error is the last of the list, and no event is lost."""
    events, _ = drive(recording, served.url)

    assert [event["type"] for event in events[before:]] == ["APIError"]


def _status(result: Any) -> int | None:
    return cast("dict[str, Any]", result).get("status_code") if isinstance(result, dict) else None


def _path(asked: str) -> str:
    return "/v1/" + asked.partition("/openai/deployments/")[2].partition("/")[2] if "/openai/" in asked else asked


def _sent(body: bytes, content_type: str | None) -> Any:
    if is_upload(content_type or ""):
        return parts(body, content_type or "")
    return json.loads(body) if body else None


def _recorded(recording: Recording) -> Any:
    sent = _sent(recording.request, recording.request_type)
    return {**sent, **MENDED[recording.name]} if recording.name in MENDED else sent
