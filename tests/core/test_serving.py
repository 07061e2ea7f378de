"""Rows as they are served: what was only formatted is as good as before, what was changed is refused by its line."""

from __future__ import annotations

import json
import traceback
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import intercept
from intercept.identity import request_hash
from intercept.loopback import Answer, Provider
from intercept.spi import JSON
from tests.conformance.callers import CALLERS, Caller, ask, each, entered, said
from tests.conftest import Canary
from tests.core.handmade import edited, header, row
from tests.core.json_values import nested_text

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


@pytest.fixture
def path(cassette: Path) -> Path:
    """Where the cassette under test lies."""
    cassette.parent.mkdir()
    return cassette


async def _asked_twice(client: Any) -> list[str]:
    return [said(await ask(client, text)) for text in ("first", "second")]


async def _streamed(client: Any) -> None:
    await each(await ask(client, "first", stream=True))


async def _first(client: Any) -> str:
    return said(await ask(client, "first"))


@pytest.fixture
def recorded(provider: Provider, path: Path) -> Path:
    """A cassette of two rows, by OpenAI's SDK."""
    with intercept.use_cassette(path, mode="record"):
        CALLERS[0].run(_asked_twice, CALLERS[0].client(provider.url))
    return path


def _replayed(path: Path, canary: Canary) -> Any:
    with intercept.use_cassette(path):
        return CALLERS[0].run(_asked_twice, CALLERS[0].client(canary.url, max_retries=0))


def test_a_link_to_a_cassette_is_a_cassette(recorded: Path, canary: Canary) -> None:
    """Folders of cassettes may be shared by links."""
    link = recorded.with_name("link.jsonl")
    link.symlink_to(recorded.name)

    assert _replayed(link, canary) == _replayed(recorded, canary)


def _formatted(content: bytes, how: str) -> bytes:
    rows = [json.loads(line) for line in content.splitlines()]
    return {
        "BOM and CRLF": b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
        "blank lines": b"\n\n" + content.replace(b"\n", b"\n\n\t\n"),
        "no last newline": content.rstrip(),
        "spaced and escaped": "\n".join(map(json.dumps, rows)).encode(),
        "sorted": "\n".join(json.dumps(row, sort_keys=True) for row in rows).encode(),
    }[how]


@pytest.mark.parametrize("how", ["BOM and CRLF", "blank lines", "no last newline", "spaced and escaped", "sorted"])
def test_a_cassette_that_was_only_formatted_replays(how: str, recorded: Path, canary: Canary) -> None:
    """The form is for people, the content is what counts."""
    before = _replayed(recorded, canary)
    recorded.write_bytes(_formatted(recorded.read_bytes(), how))

    assert _replayed(recorded, canary) == before


@every_caller
def test_a_row_whose_request_was_edited_is_refused_when_it_is_served(
    caller: Caller, provider: Provider, canary: Canary, path: Path
) -> None:
    """It would answer a question that it does not show; the rows before it are served."""
    with intercept.use_cassette(path, mode="record"):
        before = caller.run(_asked_twice, caller.client(provider.url))
    row_3 = json.loads(path.read_bytes().splitlines()[2])
    row_3["request"]["body"]["messages"][0]["content"] = "secund"
    edited(path, 3, request=row_3["request"])
    texts: list[str] = []

    async def asked(client: Any) -> None:
        texts.append(said(await ask(client, "first")))
        texts.append(said(await ask(client, "second")))

    with pytest.raises(intercept.CassetteError) as caught, intercept.use_cassette(path):
        caller.run(asked, caller.client(canary.url))

    assert texts == before[:1]
    assert caught.value.where == f"{path}:3"
    assert "request" in caught.value.reason
    assert "edited" in caught.value.reason


@every_caller
def test_reading_past_where_a_recorded_stream_was_left_is_a_miss(
    caller: Caller, provider: Provider, canary: Canary, path: Path
) -> None:
    """It fails the session even if the application swallows it: what it got is not what the provider says."""
    swallowed: list[Exception] = []

    async def left_early(client: Any) -> None:
        stream = await ask(client, stream=True)
        async with entered(stream):
            await anext(aiter(stream)) if caller.is_async else next(iter(stream))

    async def read_to_the_end(client: Any) -> None:
        try:
            await each(await ask(client, stream=True))
        except Exception as error:  # noqa: BLE001  as applications do
            swallowed.append(error)

    with intercept.use_cassette(path, mode="record"):
        caller.run(left_early, caller.client(provider.url))
    with pytest.raises(intercept.NotVerified) as failed, intercept.use_cassette(path):
        caller.run(read_to_the_end, caller.client(canary.url, max_retries=0))

    assert [type(error) for error in swallowed] == [intercept.Exhausted]
    assert failed.value.misses == tuple(swallowed)
    assert f"{path}:2" in str(failed.value)


_EDITED: dict[str, bytes] = {
    "null": b"null",
    "text": b'"POST /chat/completions"',
    "a list": b'["POST","/chat/completions"]',
    "empty": b"{}",
    "a field more": b'{"method":"POST","path":"/chat/completions","body":{},"mood":"good"}',
    "a lone surrogate": b'{"method":"POST","path":"\\ud83d"}',
    "a number past the largest": b'{"method":"POST","body":1e999}',
    "an integer of 5,000 digits": b'{"method":"POST","body":' + b"1" * 5_000 + b"}",
    "nesting of 5,000": b'{"method":"POST","body":' + nested_text(5_000) + b"}",
    "nesting of 100,000": b'{"method":"POST","body":' + nested_text(100_000) + b"}",
    "invalid UTF-8": b'{"method":"POST","path":"/\xff"}',
    "a control character": b'{"method":"POST","path":"/\x01"}',
    "NaN": b'{"method":"POST","body":NaN}',
    "the name of an adapter": b'{"adapter":"anthropic","method":"POST","path":"/chat/completions"}',
}


@pytest.mark.parametrize("request_text", _EDITED.values(), ids=_EDITED.keys())
def test_whatever_a_request_was_edited_to_is_refused(request_text: bytes, recorded: Path, canary: Canary) -> None:
    """When the file is opened or when the row is served: by line, and never by an error of the SDK."""
    lines = recorded.read_bytes().splitlines(keepends=True)
    request = json.dumps(json.loads(lines[1])["request"], ensure_ascii=False, separators=(",", ":")).encode()
    assert lines[1].count(request) == 1
    lines[1] = lines[1].replace(request, request_text)
    recorded.write_bytes(b"".join(lines))

    with pytest.raises(intercept.CassetteError) as caught:
        _replayed(recorded, canary)

    assert caught.value.where == f"{recorded}:2"
    assert recorded.read_bytes() == b"".join(lines)


_EVENTS: dict[str, bytes] = {
    "null": b"null",
    "a number": b"5",
    "true": b"true",
    "text": b'"data: 1"',
    "an object": b'{"json":{}}',
    "a number in the list": b"[5]",
    "an unknown form": b'[{"xml":"<a/>"}]',
    "a style that is none": b'[{"json":{},"style":"loose"}]',
    "base64 that is none": b'[{"base64":"%"}]',
    "a lone surrogate": b'[{"json":{"a":"\\ud83d"}}]',
    "a number past the largest": b'[{"json":{"a":1e999}}]',
    "an integer of 5,000 digits": b'[{"json":{"a":' + b"1" * 5_000 + b"}}]",
    "nesting of 100,000": b'[{"json":' + nested_text(100_000) + b"}]",
    "invalid UTF-8": b'[{"text":"\xff"}]',
    "a control character": b'[{"text":"\x01"}]',
    "NaN": b'[{"json":{"a":NaN}}]',
}


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("events", _EVENTS.values(), ids=_EVENTS.keys())
def test_whatever_events_were_edited_to_is_refused(
    events: bytes, provider: Provider, canary: Canary, path: Path, *, stream: bool
) -> None:
    """When the file is opened, the row served or the event read: by line, and never by an error of the SDK."""
    scenario = _streamed if stream else _first
    with intercept.use_cassette(path, mode="record"):
        CALLERS[0].run(scenario, CALLERS[0].client(provider.url))
    lines = path.read_bytes().splitlines(keepends=True)
    before = json.dumps(json.loads(lines[1])["events"], ensure_ascii=False, separators=(",", ":")).encode()
    assert lines[1].count(before) == 1
    lines[1] = lines[1].replace(before, events)
    path.write_bytes(b"".join(lines))

    with pytest.raises(intercept.CassetteError) as caught, intercept.use_cassette(path):
        CALLERS[0].run(scenario, CALLERS[0].client(canary.url, max_retries=0))

    assert caught.value.where == f"{path}:2"
    assert path.read_bytes() == b"".join(lines)


async def _embedded(client: Any) -> Any:
    return client.embeddings.with_raw_response.create(model="m", input="a", encoding_format="float")


_QUESTION: dict[str, JSON] = {
    "method": "POST",
    "path": "/embeddings",
    "body": {"input": "a", "model": "m", "encoding_format": "float"},
}


def _with(path: Path, **changes: Any) -> None:
    """Write a cassette of one answer to the question for an embedding."""
    path.write_bytes(
        header() + row(request=_QUESTION, request_hash=request_hash("openai", "openai", _QUESTION), **changes)
    )


_HEADERS: dict[str, list[list[str]]] = {
    "a name that is no ASCII": [["é", "a"]],
    "a value that Latin-1 cannot hold": [["x-name", "你"]],
    "a line break": [["x-name", "a\r\nset-cookie: b"]],
    "no name": [["", "a"]],
}


@pytest.mark.parametrize("headers", _HEADERS.values(), ids=_HEADERS.keys())
def test_headers_are_served_or_refused(headers: list[list[str]], path: Path, canary: Canary) -> None:
    """What HTTP cannot carry was edited in; no other error tells of it."""
    _with(path, headers=[["content-type", "application/json"], *headers])
    outcome = "served"

    try:
        with intercept.use_cassette(path):
            CALLERS[0].run(_embedded, CALLERS[0].client(canary.url, max_retries=0))
    except intercept.CassetteError as error:
        outcome = error.where

    assert outcome in {"served", f"{path}:2"}


@every_caller
def test_a_header_of_latin_1_replays(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """HTTP admits it, gateways send it, and whoever keeps it gets it back."""
    name = "x-request-id" if caller.sdk == "openai" else "request-id"
    provider.answer(
        *(Answer(429, {"error": {"message": "no"}}, ((name, "caf\xe9"), ("x-more", "\xfc"))) for _ in range(2))
    )

    async def asked(client: Any) -> tuple[str, str]:
        with pytest.raises(Exception, match="429") as caught:
            await ask(client)
        headers = getattr(caught.value, "response").headers  # noqa: B009  of either SDK's error
        return headers[name], headers["x-more"]

    with intercept.use_cassette(cassette, mode="record", keep_headers=["X-More"]):
        recorded = caller.run(asked, caller.client(provider.url, max_retries=0))
    with intercept.use_cassette(cassette):
        replayed = caller.run(asked, caller.client(canary.url, max_retries=0))

    assert replayed == recorded == ("caf\xe9", "\xfc")


@pytest.mark.parametrize(
    "failure",
    ["", "Nope", "Client", "codes", "__name__", "HTTPError", "HTTPStatusError", "StreamClosed", "InvalidURL", "os"],
)
def test_a_failure_that_is_no_fault_of_a_transport_is_refused(failure: str, path: Path, canary: Canary) -> None:
    """Only what can end a body is raised for it; the name is looked up in the HTTP library."""
    _with(path, end="truncated", failure=failure, events=[{"text": "{"}])

    with pytest.raises(intercept.InterceptError, match="failure"), intercept.use_cassette(path):
        CALLERS[0].run(_embedded, CALLERS[0].client(canary.url, max_retries=0))


_RECORDED = header() + row(
    operation="POST /embeddings",
    request=_QUESTION,
    request_hash=request_hash("openai", "openai", _QUESTION),
    events=[{"json": {"object": "list", "data": [{"embedding": [0.5]}], "model": "m", "usage": {}}}],
)


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_a_row_with_any_byte_changed_is_served_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A reply, a miss, the reader's error, or what the SDK makes of another body or status; never a slip of ours."""
    content = bytearray(_RECORDED)
    content[data.draw(st.integers(len(header()), len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "served.jsonl"
    path.write_bytes(bytes(content))
    outcome: object = "fine"

    try:
        with warnings.catch_warnings(), intercept.use_cassette(path):
            warnings.simplefilter("ignore")
            with CALLERS[0].client("http://127.0.0.1:9", max_retries=0) as client:
                client.embeddings.create(model="m", input="a", encoding_format="float")
    except intercept.InterceptError:
        pass
    except Exception as error:  # noqa: BLE001  the SDK raises what it likes about a body or status
        if any(_raised_by_us(cause) for cause in (error, error.__cause__) if cause is not None):
            outcome = error.__cause__ or error

    assert outcome == "fine"


def _raised_by_us(error: BaseException) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return any(Path(frame.filename).name in {"replayer.py", "events.py", "replies.py"} for frame in frames)
