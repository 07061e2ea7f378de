"""A call that no row answers: a typed error at the call, one attempt, no waiting, and nothing sent."""

from __future__ import annotations

import contextlib
import inspect
import re
import time
from pathlib import Path
from typing import Any

import anthropic
import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.versions import skip_as_it_lacks
from tests.conftest import Canary


@pytest.fixture
def recorded(request: pytest.FixtureRequest, provider: Provider, cassette: Path) -> Path:
    """A cassette that holds the question "hi" once, of the caller under test."""
    caller: Caller = request.getfixturevalue("caller")
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(ask, caller.client(provider.url))
    return cassette


async def _other(client: Any) -> Any:
    return await ask(client, "Something else?")


async def _other_stream(client: Any) -> Any:
    return await ask(client, "Something else?", stream=True)


async def _other_raw(client: Any) -> Any:
    if hasattr(client, "messages"):
        create = client.messages.with_raw_response.create
        return await settled(create(model="claude-test", max_tokens=1, messages=[{"role": "user", "content": "?"}]))
    create = client.chat.completions.with_raw_response.create
    return await settled(create(model="gpt-4o", messages=[{"role": "user", "content": "?"}]))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("asked", [_other, _other_stream, _other_raw])
def test_a_miss_is_typed_unwrapped_and_tried_once(caller: Caller, asked: Any, recorded: Path, canary: Canary) -> None:
    """The SDK's retries, two by default, neither see it nor wrap it; at the call also for a stream."""
    client = caller.client(canary.url, max_retries=2)
    began = time.perf_counter()
    with pytest.raises(intercept.NeverRecorded) as caught, intercept.use_cassette(recorded) as session:
        caller.run(asked, client)
    took = time.perf_counter() - began

    miss = caught.value
    assert len(session.misses) == 1
    assert session.waits == []
    assert took < 0.4
    assert (miss.adapter, miss.recorded, miss.served) == (caller.sdk, 0, 0)
    assert miss.cassette == str(recorded)
    assert miss.__cause__ is None
    assert str(recorded) in str(miss)
    assert miss.operation in str(miss)
    assert "--intercept=record" in str(miss)
    assert miss.nearest == f"{recorded}:2"
    assert "messages[0].content" in miss.differing
    assert ("stream" in miss.differing) == (asked is _other_stream)
    assert re.search(r"nearest   line 2, \d\d% alike, not served yet", str(miss))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_asking_once_more_than_recorded_is_exhausted(caller: Caller, recorded: Path, canary: Canary) -> None:
    """It says that there was a recording, where, and how often it was asked for; the next session starts anew."""

    async def twice(client: Any) -> Any:
        return [await ask(client), await ask(client)]

    for _ in range(2):
        with (
            pytest.raises(
                intercept.Exhausted, match=r"recorded once in .*\(line 2\), and is asked for once more"
            ) as caught,
            intercept.use_cassette(recorded),
        ):
            caller.run(twice, caller.client(canary.url))
        assert (caught.value.recorded, caught.value.served) == (1, 1)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_swallowed_miss_fails_the_session(caller: Caller, recorded: Path, canary: Canary) -> None:
    """An application that catches everything does not turn a miss into a passed test; one may opt out."""

    async def careless(client: Any) -> str:
        try:
            await _other(client)
        except Exception:  # noqa: BLE001  as careless code does
            return "n/a"
        return "answered"

    with pytest.raises(intercept.NotVerified) as caught, intercept.use_cassette(recorded):
        assert caller.run(careless, caller.client(canary.url)) == "n/a"
    with intercept.use_cassette(recorded, verify=False):
        assert caller.run(careless, caller.client(canary.url)) == "n/a"

    assert [type(miss) for miss in caught.value.misses] == [intercept.NeverRecorded]
    assert "Something else?" in str(caught.value)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_the_error_that_ends_the_body_is_not_masked(caller: Caller, recorded: Path, canary: Canary) -> None:
    """A swallowed miss is told beside the body's own error, where Python can (3.11 and later)."""

    async def failing(client: Any) -> None:
        try:
            await _other(client)
        except intercept.Miss:
            raise ValueError("its own") from None

    with pytest.raises(ValueError, match="its own") as caught, intercept.use_cassette(recorded):
        caller.run(failing, caller.client(canary.url))

    notes: list[str] = getattr(caught.value, "__notes__", ["went on after a miss"])
    assert any("went on after a miss" in note for note in notes)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize(
    "changed",
    [
        {"extra_body": {"temperature": 0.5}},
        {"stream": True},
        {"tools": []},
        {"tools": [{"name": "weather", "input_schema": {"type": "object"}}]},
        {"extra_body": {"tool_choice": {"type": "auto"}}},
        {"extra_body": {"response_format": {"type": "json_object"}}},
        {"extra_body": {"seed": 7}},
        {"extra_body": {"seed": None}},
        {"extra_body": {"max_tokens": 99}},
        {"extra_body": {"model": "another"}},
        {"extra_headers": {"anthropic-beta": "b", "openai-beta": "b"}},
        {"extra_query": {"x": "1"}},
    ],
    ids=str,
)
def test_whatever_is_asked_differently_misses(
    caller: Caller, changed: dict[str, Any], recorded: Path, canary: Canary
) -> None:
    """No looser rule serves a neighbour."""

    async def differently(client: Any) -> Any:
        return await ask(client, **changed)

    with pytest.raises(intercept.NeverRecorded), intercept.use_cassette(recorded):
        caller.run(differently, caller.client(canary.url))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_another_id_and_another_endpoint_miss(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """An id in the path is part of the question."""

    async def one(client: Any) -> Any:
        return await settled(client.models.retrieve("gpt-4o" if caller.sdk == "openai" else "claude-test"))

    async def other(client: Any) -> Any:
        return await settled(client.models.retrieve("gpt-4o-mini" if caller.sdk == "openai" else "claude-other"))

    async def all_of_them(client: Any) -> Any:
        return await each(await settled(client.models.list()))

    with intercept.use_cassette(cassette, mode="record"), contextlib.suppress(anthropic.NotFoundError):
        caller.run(one, caller.client(provider.url))
    for asked in (other, all_of_them):
        with pytest.raises(intercept.NeverRecorded) as caught, intercept.use_cassette(cassette):
            caller.run(asked, caller.client(canary.url))
        assert caught.value.differing == ("path",)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_what_is_not_asked_does_not_count(caller: Caller, recorded: Path, canary: Canary) -> None:
    """Key, address, timeout, retries, organisation, headers of one's own: the same question all the same."""
    options: dict[str, Any] = {"timeout": 3, "max_retries": 7, "default_headers": {"x-mine": "1"}}
    if caller.sdk == "openai":
        options |= {"organization": "org-other", "project": "other"}

    async def asked(client: Any) -> Any:
        return await ask(client, extra_headers={"x-trace": "2"}, timeout=1)

    with intercept.use_cassette(recorded) as session:
        caller.run(asked, caller.client(canary.url, key="sk-" + "C" * 40, **options))

    assert [played.live for played in session.calls] == [False]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_request_that_is_no_strict_json_goes_live_and_fails_the_session(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """No cassette can hold it: while recording the answer arrives all the same, in replay it is a miss."""
    path = "/chat/completions" if caller.sdk == "openai" else "/v1/messages"
    client = caller.client(provider.url)
    if "content" not in inspect.signature(client.post).parameters:
        skip_as_it_lacks(client, "`content=`")

    async def odd(client: Any) -> Any:
        options = {"headers": {"content-type": "application/json"}}
        content = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"x":NaN}'
        return await settled(client.post(path, cast_to=object, content=content, options=options))

    def session(mode: str) -> Any:
        with intercept.use_cassette(cassette, mode=mode):
            caller.run(ask, caller.client(provider.url))
            return caller.run(odd, caller.client(provider.url, max_retries=0))

    with pytest.raises(intercept.NotVerified, match="not strict JSON"):
        session("record")
    assert provider.hits == 2
    cassette.with_name("test.partial.jsonl").replace(cassette)
    with pytest.raises(intercept.NeverRecorded, match="not strict JSON"):
        session("replay")
    assert provider.hits == 2
