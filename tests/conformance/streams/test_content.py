"""What a stream may hold: it reaches the application as without us, and the cassette gives back the very bytes."""

from __future__ import annotations

import gzip
import importlib.util
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, each, entered
from tests.conformance.streams import bodies
from tests.conformance.streams.bodies import Pieces
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.steps import until_it_breaks
from tests.conformance.streams.views import opened

Shape = Callable[[Caller], Pieces]


def _said(caller: Caller, *texts: str) -> Pieces:
    return bodies.chunks(bodies.events(caller, texts or ("one", "two")))


def _each_with(old: bytes, new: bytes, *texts: str) -> Shape:
    return lambda caller: tuple(chunk.replace(old, new) for chunk in _said(caller, *texts))


def _each_after(extra: bytes) -> Shape:
    return lambda caller: tuple(extra + chunk for chunk in _said(caller))


def _in_pieces_of(size: int) -> Shape:
    def shape(caller: Caller) -> Pieces:
        body = b"".join(_said(caller, "één", "🙂 two\u2028three\u0085\x7f"))
        return tuple(body[start : start + size] for start in range(0, len(body), size))

    return shape


def _first_after(extra: bytes) -> Shape:
    return lambda caller: (extra, *_said(caller))


SHAPES: dict[str, Shape] = {
    "one event a piece": _said,
    "all in one piece": lambda caller: (b"".join(_said(caller)),),
    "single bytes": _in_pieces_of(1),
    "pieces that cut characters": _in_pieces_of(7),
    "CRLF": _each_with(b"\n", b"\r\n"),
    "CR": _each_with(b"\n", b"\r"),
    "a blank line more": _each_with(b"\n\n", b"\n\n\n"),
    "two blank lines more, CRLF": lambda caller: tuple(
        chunk.replace(b"\n", b"\r\n") + b"\r\n\r\n" for chunk in _said(caller)
    ),
    "a byte order mark": _first_after(b"\xef\xbb\xbf"),
    "comments between": _each_after(b": keep-alive\n\n"),
    "comments within": _each_with(b"data:", b":\n: c\ndata:"),
    "pings": _each_after(b'event: ping\ndata: {"type": "ping"}\n\n'),
    "ids and retries": _each_with(b"data:", b"id: 7\nretry: 10\ndata:"),
    "unknown lines": _each_with(b"data:", b"new: x\nnewer\ndata:"),
    "data of several lines": _each_with(b"data: {", b"data: {\ndata: "),
    "no blank before data": _each_with(b"data: ", b"data:"),
    "two blanks before data": _each_with(b"data: ", b"data:  "),
    "unknown events": _each_after(b'event: brand_new\ndata: {"type": "brand_new", "a": [1, 2.0]}\n\n'),
    "unknown fields": _each_with(b'":"m"', b'":"m","new":{"a":[1,null]}'),
    "half a surrogate pair": _each_with(b"HERE", rb"\ud83d", "HERE"),
    "escapes nobody needs": _each_with(b"HERE", rb"\u0061\/\u2028\u0000", "HERE"),
    "keys twice": _each_with(b'"HERE"', b'"a","content":"b","text":"c"', "HERE"),
    "NaN": _each_with(b'"HERE"', b'"a","x":NaN,"y":-Infinity', "HERE"),
    "numbers that floats cannot hold": _each_with(b'"HERE"', b'"a","x":9007199254740993,"y":-0.0,"z":1e400', "HERE"),
    "another notation of JSON": _each_with(b'":', b'" :\t', "one"),
    "much of nothing after the end": lambda caller: (b"".join(_said(caller)) + b": bye\n\n" * 4 + b"\n" * 4,),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_stream_holds_comes_through(caller: Caller, shape: str, runs: Runs) -> None:
    """However events are written and cut, the same objects come out, and the very bytes are kept."""
    pieces = SHAPES[shape](caller)

    events = runs.compare(caller, _events, bodies.stream(pieces))

    assert events
    assert runs.once("replay", caller, _bytes) == b"".join(pieces)


@pytest.mark.parametrize("caller", [CALLERS[0], CALLERS[-1]], ids=str)
def test_an_event_of_five_megabytes_comes_through(caller: Caller, runs: Runs) -> None:
    """It is one row, and one event."""
    pieces = _said(caller, "x" * 5_000_000)

    runs.compare(caller, _events, bodies.stream(pieces))

    assert len(runs.rows[0]["events"]) == len(pieces)


def _deflated(body: bytes) -> bytes:
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return raw.compress(body) + raw.flush()


_ZSTD = ["compression.zstd", "backports.zstd", "zstandard"]


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


ENCODINGS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "deflate without its head": ("deflate", _deflated),
    "gzip in deflate": ("gzip, deflate", lambda body: zlib.compress(gzip.compress(body))),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_encoded_stream_comes_through_and_is_kept_decoded(caller: Caller, encoding: str, runs: Runs) -> None:
    """Cut where nothing can be decoded yet, too."""
    name, encode = ENCODINGS[encoding]
    body = b"".join(_said(caller))
    encoded = encode(body)
    pieces = [encoded[start : start + 10] for start in range(0, len(encoded), 10)]

    runs.compare(caller, _events, bodies.stream(pieces, encoding=name))

    assert runs.once("replay", caller, _bytes) == body


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize(("name", "modules"), [("br", ["brotli"]), ("zstd", _ZSTD)], ids=["br", "zstd"])
def test_an_encoding_that_the_library_has_by_another_package(
    caller: Caller, name: str, modules: list[str], runs: Runs
) -> None:
    """Asked for, and decoded, wherever the package for it is installed."""
    assert name in caller.client("http://127.0.0.1:9")._client.headers["accept-encoding"]
    packer = importlib.import_module(next(module for module in modules if _is_there(module)))
    encoded: bytes = packer.compress(b"".join(_said(caller)))
    pieces = [encoded[start : start + 10] for start in range(0, len(encoded), 10)]

    runs.compare(caller, _events, bodies.stream(pieces, encoding=name))
    cut = runs.elsewhere("cut")
    cut.compare(caller, _events, bodies.stream(pieces[:-2], encoding=name), ends=["truncated"])

    assert runs.once("replay", caller, _bytes) == b"".join(_said(caller))


@pytest.mark.parametrize("caller", [caller for caller in CALLERS if caller.sdk == "openai"], ids=str)
def test_chunks_without_choices_come_through(caller: Caller, runs: Runs) -> None:
    """Filter results come first, usage last, and neither has a choice."""
    filtered: list[Any] = [{"prompt_index": 0, "content_filter_results": {}}]
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    *told, done = bodies.events(caller)
    told = [bodies.chat_chunk(prompt_filter_results=filtered), *told, bodies.chat_chunk(usage=usage), done]

    first, *_, last = runs.compare(caller, _events, bodies.stream(bodies.chunks(told)))

    assert first["extra"] == {"prompt_filter_results": filtered}
    assert (last["fields"]["choices"], last["fields"]["usage"]["total_tokens"]) == ([], 3)
    assert runs.rows[0]["usage"]["output"] == 2


async def _events(client: Any) -> Any:
    return await until_it_breaks(await ask(client, stream=True))


async def _bytes(client: Any) -> Any:
    async with entered(opened(client)) as response:
        return b"".join(await each(response.iter_bytes()))
