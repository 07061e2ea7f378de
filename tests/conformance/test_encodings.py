"""Encoded answers: kept decoded, up to a limit, in bounded memory; what nobody can decode is kept on request alone."""

from __future__ import annotations

import gzip
import importlib
import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.answering import saying
from tests.conformance.callers import CALLERS, KEY, Caller, ask, each, said, settled
from tests.conformance.streams import bodies
from tests.conformance.ways import question, resource
from tests.conftest import Canary

brotli: Any = importlib.import_module("brotli")  # has no types
zstandard: Any = importlib.import_module("zstandard")

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)
LIMIT = 64 * 1024 * 1024


def _encoded(answer: Answer, encoding: str, content: bytes) -> Answer:
    return Answer(
        status=answer.status,
        body=content,
        headers=(("content-type", "application/json"), ("content-encoding", encoding)),
    )


async def _scenario(client: Any) -> str:
    return said(await ask(client))


_PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "br": brotli.compress,
    "deflate": zlib.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def _encode(caller: Caller, encoding: str, content: bytes, provider: Provider) -> bytes:
    known = caller.client(provider.url)._client.headers["accept-encoding"]
    for name in encoding.split(", "):
        assert name in known, "its package is among those that the tests are installed with"
        content = _PACK[name](content)
    return content


@every_caller
@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "gzip, br", "deflate, gzip"])
def test_a_secret_in_an_encoded_answer_is_hidden(
    caller: Caller, encoding: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Stored as text that everybody can read; the replay gives it unencoded."""
    content = saying(caller, f"mine is {KEY}").payload()
    provider.answer(_encoded(Answer(), encoding, _encode(caller, encoding, content, provider)))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(_scenario, caller.client(provider.url))
    with intercept.use_cassette(cassette):
        replayed = caller.run(_scenario, caller.client(canary.url))

    assert recorded == f"mine is {KEY}"
    assert replayed == "mine is [REDACTED:openai-key:1]"
    assert "mine is [REDACTED:openai-key:1]" in cassette.read_text()


@every_caller
@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate, gzip"])
def test_a_secret_split_over_an_encoded_stream_is_hidden(
    caller: Caller, encoding: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The events come as they came, and none of them holds a part of it."""
    texts = ("mine is ", KEY[:12], KEY[12:])
    content = _encode(caller, encoding, b"".join(bodies.chunks(bodies.events(caller, texts))), provider)
    provider.answer(bodies.stream([content[:100], content[100:]], encoding=encoding))

    async def scenario(client: Any) -> list[str]:
        return [text for text in map(_delta, await each(await ask(client, stream=True))) if text]

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(scenario, caller.client(provider.url))
    with intercept.use_cassette(cassette):
        replayed = caller.run(scenario, caller.client(canary.url))

    assert recorded == list(texts)
    assert "".join(replayed) == "mine is [REDACTED:openai-key:1]"
    assert KEY[12:24] not in cassette.read_text()


def _delta(event: Any) -> str:
    """Return the text of an event of either provider."""
    told = event.to_dict()
    delta = told["choices"][0]["delta"] if told.get("choices") else told.get("delta", {})
    return str(delta.get("content") or delta.get("text") or "")


@every_caller
@pytest.mark.parametrize("stored", [False, True], ids=["refused", "allowed"])
def test_an_encoding_that_nobody_knows_is_stored_on_request_alone(
    caller: Caller, stored: bool, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The HTTP library passes it on as it is, so that the application can read it; so does the replay."""
    body = saying(caller, "hello").payload()
    provider.answer(_encoded(Answer(), "x-rot", body))

    def recorded() -> str:
        with intercept.use_cassette(cassette, mode="record", allow_encoding=["X-Rot"] if stored else ()):
            return str(caller.run(_scenario, caller.client(provider.url)))

    if not stored:
        with pytest.raises(intercept.NotVerified, match=r"allow_encoding=\['x-rot'\]") as failed:
            recorded()
        assert "POST" in str(failed.value)
        assert not cassette.exists()
        return
    assert recorded() == "hello"
    with intercept.use_cassette(cassette):
        assert caller.run(_scenario, caller.client(canary.url)) == "hello"
    row = json.loads(cassette.read_text().splitlines()[1])
    assert ["content-encoding", "x-rot"] in row["headers"]


@every_caller
@pytest.mark.parametrize("count", [6, 2000])
def test_an_answer_with_more_encodings_than_anybody_uses_is_refused(
    caller: Caller, count: int, provider: Provider, cassette: Path
) -> None:
    """The application gets what it would get; the session says at its end why there is no row."""
    answer = _encoded(Answer(), ", ".join(["gzip"] * count), b"")

    async def scenario(client: Any) -> Any:
        try:
            return (await settled(resource(client).with_raw_response.create(**question(client)))).status_code
        except (openai.APIConnectionError, anthropic.APIConnectionError) as error:
            return str(error.__cause__)

    def asked() -> Any:
        provider.answer(answer)
        return caller.run(scenario, caller.client(provider.url, max_retries=0))

    unpatched = asked()
    refused = (
        pytest.raises(intercept.NotVerified, match=f"has {count} encodings") if unpatched == 200 else nullcontext()
    )
    with refused, intercept.use_cassette(cassette, mode="record"):
        assert asked() == unpatched
    assert unpatched in (200, "Cannot apply more than 5 content encodings.")
    assert not cassette.exists()


_BOMB = """
import gzip, json, resource, sys, time, zlib
import brotli
import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, entered

encoding, caller = sys.argv[1], next(each for each in CALLERS if str(each) == sys.argv[2])
size = 96 * 1024 * 1024
def packed():
    if encoding == "zstd":
        import zstandard
        packer = zstandard.ZstdCompressor(level=3).compressobj()
        feed, end = packer.compress, packer.flush
    elif encoding == "br":
        packer = brotli.Compressor(quality=5)
        feed, end = packer.process, packer.finish
    else:
        packer = zlib.compressobj(9, wbits=31)
        feed, end = packer.compress, packer.flush
    return b"".join([*(feed(b" " * 2**20) for _ in range(size // 2**20)), end()])
content = packed()
if encoding == "gzip, gzip":
    content = gzip.compress(content)
with Provider() as provider:
    provider.answer(Answer(body=content, headers=(("content-type", "text/plain"), ("content-encoding", encoding))))

    async def scenario(client):
        options = {} if caller.sdk == "openai" else {"max_tokens": 9}
        messages = [{"role": "user", "content": "hi"}]
        resource_of = client.chat.completions if caller.sdk == "openai" else client.messages
        opened = resource_of.with_streaming_response.create(model="m", messages=messages, **options)
        async with entered(opened) as response:
            read = response.http_response
            chunks = read.iter_raw() if not caller.is_async else read.aiter_raw()
            async for _ in chunks if caller.is_async else as_async(chunks):
                pass

    async def as_async(chunks):
        for chunk in chunks:
            yield chunk

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        with intercept.use_cassette(sys.argv[3], mode="record"):
            caller.run(scenario, caller.client(provider.url))
    except intercept.NotVerified as error:
        told = str(error)
    else:
        told = "kept"
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"told": told, "grown": (after - before) * 1024, "packed": len(content)}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("caller", [CALLERS[0], CALLERS[3]], ids=str)
@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip", "br", "zstd"])
def test_a_bomb_is_refused_in_bounded_memory(caller: Caller, encoding: str, tmp_path: Path) -> None:
    """A kilobyte that is a gigabyte once it is decoded; the application has read it as it came."""
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", _BOMB, encoding, str(caller), str(tmp_path / "bomb.jsonl")],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert "64 MiB" in found["told"]
    assert found["packed"] < 1024 * 1024
    assert found["grown"] < 2 * LIMIT
    assert not (tmp_path / "bomb.jsonl").exists()
