"""Every class of secrets in every position of real calls: none of it is in a byte of the cassette, and replays hit."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.answering import saying
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.ways import resource
from tests.conftest import Canary
from tests.core.secrets import NAMES, secret
from tests.core.splitting import STREAMS, sse

EVERY = [secret(name) for name in NAMES]
_KEPT = ["x-echo", "authorization", "x-team-token", "set-cookie", "openai-organization"]
_DOOR: dict[str, Any] = {"redact": [intercept.EMAIL, intercept.PHONE], "keep_headers": _KEPT}

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)
every_layout = pytest.mark.parametrize(
    "layout", ["secrets.jsonl", pytest.param("secrets/", marks=pytest.mark.slow)], ids=["file", "folder"]
)


def _texts(content: str) -> Iterator[str]:
    """Give a text, and what its long runs of base64 and gzip hold."""
    yield content
    for run in re.findall(r"[A-Za-z0-9+/_-]{16,}={0,2}", content):
        try:
            decoded = base64.b64decode(run.translate(str.maketrans("-_", "+/")) + "==")
            yield (gzip.decompress(decoded) if decoded[:2] == b"\x1f\x8b" else decoded).decode("latin-1")
        except (ValueError, OSError, EOFError):
            continue


def _joined(content: str) -> str:
    """Join what any field of the events holds, one after the other: the deltas of a text among them."""
    found: dict[str, list[str]] = {}

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for name, item in cast("dict[str, Any]", value).items():
                walk(item, f"{path}.{name}")
        elif isinstance(value, list):
            for item in cast("list[object]", value):
                walk(item, path)
        elif isinstance(value, str):
            found.setdefault(path, []).append(value)

    for row in content.splitlines()[1:]:
        walk(json.loads(row), "")
    return "\n".join("".join(parts) for parts in found.values())


def _left(path: str) -> list[str]:
    files = [Path(path)] if path.endswith("l") else sorted(Path(path).iterdir())
    whole = "\n".join(file.read_text("utf-8") for file in files)
    texts = [*_texts(whole), _joined(whole) if path.endswith("l") else ""]
    return sorted({piece for planted in EVERY for text in texts for piece in planted.left_in(text)})


def _played(caller: Caller, scenario: Any, path: str, mode: str, url: str, **options: Any) -> tuple[Any, list[str]]:
    with intercept.use_cassette(path, mode=mode, **_DOOR) as session:
        result = caller.run(scenario, caller.client(url, max_retries=0, **options))
    return result, [played.request_hash for played in session.calls]


def _checked(caller: Caller, scenario: Any, path: str, provider: Provider, canary: Canary, **options: Any) -> Any:
    """Record and replay; return both results, after a look at the disk."""
    recorded, hashes = _played(caller, scenario, path, "record", provider.url, **options)
    assert _left(path) == []
    replayed, again = _played(caller, scenario, path, "replay", canary.url, **options)
    assert again == hashes
    return recorded, replayed


@every_caller
@every_layout
def test_in_headers_query_and_body_of_a_request(
    caller: Caller, layout: str, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Values, names of fields, tool arguments, query and headers of any name."""
    texts = [planted.text for planted in EVERY]
    arguments = json.dumps({"signature": texts, **dict.fromkeys(texts, 1)})
    headers = {f"X-Custom-{number}": text.replace("\n", " ") for number, text in enumerate(texts)}
    query = {f"q{number}": text for number, text in enumerate(texts)} | {"api_key": "short", "token": texts[0]}
    metadata: dict[str, Any] = {"secrets": texts, **dict.fromkeys(texts, "x")}

    async def scenario(client: Any) -> Any:
        more = {"extra_headers": headers, "extra_query": query, "extra_body": {"metadata": metadata, "args": arguments}}
        return (await ask(client, " and ".join(texts), **more)).id

    _checked(caller, scenario, f"{tmp_path}/{layout}", provider, canary)


@every_caller
@every_layout
def test_in_headers_and_body_of_an_answer(
    caller: Caller, layout: str, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """The application gets it live as it came; the replay is as long, and as valid."""
    texts = [planted.text for planted in EVERY]
    answer = saying(caller, "; ".join(texts))
    assert isinstance(answer.body, dict)
    body = {**answer.body, "secrets": texts, "names": dict.fromkeys(texts, 1), "args": json.dumps({"a": texts})}
    pairs = [("x-echo", text.replace("\n", " ")) for text in texts]
    named = [
        ("authorization", "Bearer " + "t0" * 9),
        ("x-team-token", "t0" * 9),
        ("set-cookie", f"a={'c0' * 9}; Path=/"),
    ]
    provider.answer(Answer(body=body, headers=(*pairs, *named, ("openai-organization", "acme-corp"))))

    async def scenario(client: Any) -> Any:
        raw = await settled(resource(client).with_raw_response.create(**_question(client)))
        return (await settled(raw.parse())).model_dump(), [*raw.headers.items()]

    (recorded, _), (replayed, headers) = _checked(caller, scenario, f"{tmp_path}/{layout}", provider, canary)

    assert recorded["secrets"] == texts
    assert len(replayed["secrets"]) == len(texts) == len(replayed["names"])
    assert all("[REDACTED:" in text for text in replayed["secrets"])
    assert len(json.loads(replayed["args"])["a"]) == len(texts)
    told = json.dumps(headers)
    assert [word for word in ("t0t0", "c0c0", "acme-corp") if word in told] == []


def _question(client: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "hi"}]
    more = {} if hasattr(client, "chat") else {"max_tokens": 9}
    return {"model": "m", "messages": messages, **more}


@every_caller
@pytest.mark.parametrize("encoding", ["identity", "gzip", "deflate"])
@pytest.mark.parametrize("status", [200, 401, 500])
def test_in_errors_and_encoded_bodies(
    caller: Caller, encoding: str, status: int, *, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """A gateway quotes the key in a page of its own, packed or not; the error is the same but for it."""
    import zlib

    text = "Incorrect API key provided: " + ", ".join(planted.text for planted in EVERY)
    make = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    answer = saying(caller, text) if status == 200 else make(status, message=text)
    content = answer.payload()
    packed = {"identity": content, "gzip": gzip.compress(content), "deflate": zlib.compress(content)}[encoding]
    headers = (("content-type", "application/json"), ("content-encoding", encoding))
    provider.answer(Answer(status=status, body=packed, headers=headers))

    async def scenario(client: Any) -> str:
        try:
            return str((await ask(client)).model_dump())
        except Exception as error:  # noqa: BLE001  the SDK's own
            return str(error)

    recorded, replayed = _checked(caller, scenario, f"{tmp_path}/secrets.jsonl", provider, canary)

    assert "Incorrect API key provided: " in recorded
    assert replayed.startswith(recorded[: recorded.index("provided: ") + len("provided: ")])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("length", [*(pytest.param(length, marks=pytest.mark.slow) for length in (1, 3)), 17])
def test_split_over_the_deltas_of_a_stream(
    caller: Caller, length: int, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """All of them in one text, in pieces of one length; the replay has as many events."""
    text = " ".join(planted.text for planted in EVERY)
    parts = [text[start : start + length] for start in range(0, len(text), length)]
    if caller.sdk == "openai":
        events = [STREAMS["chat content"].delta(part, 0) for part in parts]
        body = sse(events) + b"data: [DONE]\n\n"
    else:
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "usage": {},
        }
        start: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
        begun: list[dict[str, Any]] = [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        ]
        deltas = [STREAMS["messages text"].delta(part, 0) for part in parts]
        body = sse([*start, *begun, *deltas, {"type": "message_stop"}])
    provider.answer(Answer(body=body, content_type="text/event-stream"))

    async def scenario(client: Any) -> list[str]:
        events = await each(await ask(client, stream=True))
        return [event.model_dump_json() for event in events]

    recorded, replayed = _checked(caller, scenario, f"{tmp_path}/secrets.jsonl", provider, canary)

    assert len(recorded) == len(replayed) >= len(parts)
    assert [planted for planted in EVERY if planted.left_in("".join(replayed))] == []


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_in_the_address_of_a_redirect(caller: Caller, provider: Provider, canary: Canary, tmp_path: Path) -> None:
    """Stored content is reached by an address that is signed, or has a password in it."""
    signed = next(planted.text for name, planted in zip(NAMES, EVERY, strict=True) if name == "azure shared access")
    token = "t0k" * 9
    location = f"{provider.url}/moved?{signed.partition('?')[2]}&X-Amz-Signature={token}&page=2"
    provider.answer(Answer(status=302, headers=(("location", location),)), saying(caller, "moved"))

    async def scenario(client: Any) -> Any:
        path = "/moving"
        response = await settled(client.get(path, cast_to=object))
        return str(response)

    recorded, replayed = _checked(caller, scenario, f"{tmp_path}/secrets.jsonl", provider, canary)

    content = (tmp_path / "secrets.jsonl").read_text()
    assert recorded == replayed
    assert token not in content
    assert "page=2" in content
