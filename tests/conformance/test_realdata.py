"""Real recorded bodies, over real HTTP and through the real SDK: recorded and replayed to equal objects and bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conftest import Canary
from tests.realdata.clients import async_client_for, client_for
from tests.realdata.corpus import ABSENT, Recording, folder
from tests.realdata.drive import ask, ask_async, raw, raw_async
from tests.realdata.endpoints import covered, not_in_sdk
from tests.realdata.outcome import outcome

pytestmark = [
    pytest.mark.skipif(folder() is None, reason=ABSENT),
    pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning"),
    # What was cut or ended without its terminal when it was recorded is reported, as it should be.
    pytest.mark.filterwarnings("ignore:.*ended without its terminal:intercept.InterceptWarning"),
]

BODIES = [pytest.param(recording, id=recording.name) for recording in covered()] if folder() else []


@pytest.fixture(scope="module")
def server() -> Iterator[Provider]:
    """One provider for all bodies."""
    with Provider() as running:
        yield running


def _served(provider: Provider, recording: Recording) -> None:
    provider.reset()
    provider.answer(Answer(status=recording.status, body=recording.body, headers=recording.headers))


def _asked(recording: Recording, url: str, *, is_async: bool, bytes_only: bool) -> Any:
    if not is_async:
        with client_for(recording, url) as client:
            return raw(client, recording) if bytes_only else outcome(ask(client, recording))

    async def asking() -> Any:
        async with async_client_for(recording, url) as client:
            return await raw_async(client, recording) if bytes_only else outcome(await ask_async(client, recording))

    return asyncio.run(asking())


_HIDDEN = r"(?<=[?&]sig=)[^&\"]+|(?:org|user)-[A-Za-z0-9]{24}|\[REDACTED:openai-(?:organization|user):x[0-9a-f]{8}\]"


def _unsigned(result: Any) -> Any:
    """Leave out what is not stored of a real body: who asked, and what signs the address of an image."""
    if isinstance(result, bytes):
        return re.sub(_HIDDEN.encode(), b"", result)
    if isinstance(result, str):
        return re.sub(_HIDDEN, "", result)
    if isinstance(result, dict):
        return {name: _unsigned(value) for name, value in cast("dict[str, Any]", result).items()}
    if isinstance(result, (list, tuple)):
        return [_unsigned(item) for item in cast("list[Any]", result)]
    return result


@pytest.mark.parametrize("is_async", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["sync", "async"])
@pytest.mark.parametrize("recording", BODIES)
def test_a_real_body_replays_to_equal_objects_and_bytes(
    recording: Recording, is_async: bool, server: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Unpatched, recorded and replayed; and the very bytes through the raw view."""
    results: dict[bool, list[Any]] = {}
    for bytes_only in (False, True):
        cassette = tmp_path / f"{bytes_only}.jsonl"
        _served(server, recording)
        unpatched = _asked(recording, server.url, is_async=is_async, bytes_only=bytes_only)
        _served(server, recording)
        with intercept.use_cassette(cassette, mode="record"):
            recorded = _asked(recording, server.url, is_async=is_async, bytes_only=bytes_only)
        assert server.hits == 1
        with intercept.use_cassette(cassette):
            replayed = _asked(recording, canary.url, is_async=is_async, bytes_only=bytes_only)
        results[bytes_only] = [unpatched, recorded, replayed]

    for unpatched, recorded, replayed in results.values():
        assert recorded == unpatched
        assert _unsigned(replayed) == _unsigned(unpatched)
    assert results[True][0] == recording.body


def test_every_body_of_the_index_is_exercised(
    record_testsuite_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints how many; fails when a recording is neither driven nor named as impossible on this SDK."""
    from tests.realdata.corpus import recordings

    every, driven = recordings(), covered()

    with capsys.disabled():
        print(f"\nreal recorded bodies exercised: {len(driven)} of {len(every)}")  # noqa: T201  what CI shows
    record_testsuite_property("bodies", len(driven))
    assert len(driven) == len(every) - len(not_in_sdk())
    assert len(every) == 100
