"""Streams that end before they are complete, by the provider's doing."""

from __future__ import annotations

import gzip
import importlib
import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, settled
from tests.conformance.streams import bodies
from tests.conformance.streams.bodies import Pieces
from tests.conformance.streams.runs import Runs
from tests.conformance.streams.steps import until_it_breaks

Shape = Callable[[Caller], Pieces]


def _whole(caller: Caller) -> Pieces:
    return bodies.chunks(bodies.events(caller, ("één", "🙂")))


def _cut_at(mark: bytes) -> Shape:
    """Cut a good stream in the middle of some bytes."""

    def shape(caller: Caller) -> Pieces:
        body = b"".join(_whole(caller))
        return (body[: body.index(mark) + len(mark) // 2],)

    return shape


SHAPES: dict[str, Shape] = {
    "before the first event": lambda _: (),
    "between two events": lambda caller: _whole(caller)[:2],
    "in the middle of an event": lambda caller: (*_whole(caller)[:2], _whole(caller)[2][:30]),
    "in the middle of a character": _cut_at("🙂".encode()),
    "in a comment": lambda caller: (*_whole(caller)[:2], b": keep-"),
}


async def _events(client: Any) -> Any:
    return await until_it_breaks(await ask(client, stream=True))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("dropped", [True, False], ids=["dropped", "ended"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_stream_without_its_terminal_breaks_at_the_same_place(
    caller: Caller, dropped: bool, shape: str, runs: Runs
) -> None:
    """The connection drops: the same error of the same library. The body ends: no error, but a warning of ours."""
    pieces = SHAPES[shape](caller)
    answer = bodies.stream(pieces, cut_after=len(pieces) if dropped else None)

    runs.compare(caller, _events, answer, ends=["truncated"])

    failure = runs.rows[0].get("failure") or ""
    assert failure.partition(":")[0] == ("RemoteProtocolError" if dropped else "")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_cut_in_its_terminal_is_not_complete(caller: Caller, runs: Runs) -> None:
    """The name of the last event has come, the event has not."""
    *pieces, last = _whole(caller)
    cut = last[: last.index(b"DONE") + 5] if caller.sdk == "openai" else last[: last.index(b"data") + 9]

    runs.compare(caller, _events, bodies.stream((*pieces, cut), cut_after=len(pieces) + 1), ends=["truncated"])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_stream_dropped_behind_its_terminal_is_complete(caller: Caller, runs: Runs) -> None:
    """Whether its reader notices depends on the SDK; the replay does as the SDK did."""
    body = b"".join(_whole(caller))

    runs.compare(caller, _events, bodies.stream([body], cut_after=1), ends=["complete"])


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("then", ["more", "end", "drop"])
def test_an_error_event_inside_a_stream_comes_at_the_same_place(caller: Caller, then: str, runs: Runs) -> None:
    """Two good events, then the provider's error payload in an HTTP 200; whatever follows, it is the stream's end."""
    error: Any = {"error": {"message": "overloaded", "type": "server_error", "param": None, "code": None}}
    if caller.sdk == "anthropic":
        error = {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
    payload = bodies.chunks([(None if caller.sdk == "openai" else "error", error)])
    more = _whole(caller)[-1:] if then == "more" else ()
    pieces = [b"".join((*_whole(caller)[:2], *payload, *more))]

    outcome = runs.compare(caller, _events, bodies.stream(pieces, cut_after=1 if then == "drop" else None))

    assert len(outcome) == 3
    assert outcome[-1]["type"] == ("APIError" if caller.sdk == "openai" else "APIStatusError")
    assert outcome[-1]["body"] == (error["error"] if caller.sdk == "openai" else error)


@pytest.mark.parametrize("caller", [caller for caller in CALLERS if caller.sdk == "openai"], ids=str)
@pytest.mark.parametrize("last", ["response.completed", "response.failed", "response.incomplete", "error"])
def test_a_stream_of_a_response_is_complete_with_any_of_its_last_events(caller: Caller, last: str, runs: Runs) -> None:
    """There is no `[DONE]`; what failed at the model has been told whole."""
    response: Any = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [], "status": "failed"}
    told: list[Any] = [("response.created", {"type": "response.created", "response": response, "sequence_number": 0})]
    if last == "error":
        told.append((last, {"type": last, "code": "server_error", "message": "No.", "param": None}))
    else:
        told.append((last, {"type": last, "response": response, "sequence_number": 1}))

    async def scenario(client: Any) -> Any:
        return await until_it_breaks(await settled(client.responses.create(model="m", input="hi", stream=True)))

    assert len(runs.compare(caller, scenario, bodies.stream(bodies.chunks(told)))) == 2


def _gzip(body: bytes) -> bytes:
    """Compress so that the first half can be decoded without the second."""
    packer = zlib.compressobj(wbits=31)
    half = len(body) // 2
    return (
        packer.compress(body[:half]) + packer.flush(zlib.Z_SYNC_FLUSH) + packer.compress(body[half:]) + packer.flush()
    )


def _deflated(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


# How the body is encoded, what its header says of that, and how many bytes of it come.
DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str, int]] = {
    "gzip, in its head": (_gzip, "gzip", 5),
    "gzip, in the middle": (_gzip, "gzip", -20),
    "gzip, in its checksum": (_gzip, "gzip", -4),
    "deflate, in the middle": (zlib.compress, "deflate", -20),
    "deflate without its head, before anything can be decoded": (_deflated, "deflate", 3),
    "deflate without its head, in the middle": (_deflated, "deflate", -20),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("damage", DAMAGED)
def test_an_encoded_stream_that_is_cut_gives_what_can_be_decoded(caller: Caller, damage: str, runs: Runs) -> None:
    """Recording it adds no error of its own, and its replay ends by the same one after the same events."""
    encode, name, length = DAMAGED[damage]
    encoded = encode(b"".join(_whole(caller)))[:length]
    pieces = [encoded[start : start + 10] for start in range(0, len(encoded), 10)]
    ends = ["complete" if damage == "gzip, in its checksum" else "truncated"]

    runs.compare(caller, _events, bodies.stream(pieces, encoding=name, cut_after=len(pieces)), ends=ends)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("wrong", ["all of it", "its second half"])
def test_a_stream_that_is_not_encoded_as_it_says_fails_at_the_same_place(
    caller: Caller, wrong: str, runs: Runs
) -> None:
    """The library refuses to decode it; what it gave before that counts, and its error comes again."""
    body = b"".join(_whole(caller))
    half = len(body) // 2
    packer = zlib.compressobj(wbits=31)
    good = packer.compress(body[:half]) + packer.flush(zlib.Z_SYNC_FLUSH)
    pieces = [body] if wrong == "all of it" else [good, b"\xff" * 40]

    outcome = runs.compare(caller, _events, bodies.stream(pieces, encoding="gzip"), ends=["truncated"])

    assert outcome[-1]["type"] in ("DecodingError", "APIConnectionError")  # what newer versions of openai make of it
    assert runs.rows[0]["failure"].startswith("DecodingError: ")
    assert bool(outcome[:-1]) == (wrong == "its second half")


brotli: Any = importlib.import_module("brotli")  # has no types


def _wrong(at: int) -> Callable[[bytes], bytes]:
    """Turn one byte over."""

    def damage(content: bytes) -> bytes:
        place = at % len(content)
        return content[:place] + bytes((content[place] ^ 0xFF,)) + content[place + 1 :]

    return damage


def _raw_deflate_with_a_zlib_head(content: bytes) -> bytes:
    """Begin as zlib does, so that it is taken for that until much has been decoded."""
    return zlib.compress(content)[:-4] + b"\0\0\0\0"


# The header, how the body is encoded, and what is done to it then. All are far longer than what is decoded at once.
WRONG: dict[str, tuple[str, Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "gzip, its checksum": ("gzip", gzip.compress, _wrong(-8)),
    "gzip, its length": ("gzip", gzip.compress, _wrong(-1)),
    "gzip, near its end": ("gzip", gzip.compress, _wrong(-3000)),
    "deflate, its checksum": ("deflate", _raw_deflate_with_a_zlib_head, bytes),
    "br, behind its end": ("br", brotli.compress, lambda content: content + content[-9:]),
    "gzip in br, its checksum": ("gzip, br", lambda body: brotli.compress(_wrong(-8)(gzip.compress(body))), bytes),
    "gzip in gzip, the outer checksum": ("gzip, gzip", lambda body: gzip.compress(gzip.compress(body)), _wrong(-8)),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("damage", WRONG)
def test_a_long_encoded_stream_with_a_fault_gives_what_it_gave_live(caller: Caller, damage: str, runs: Runs) -> None:
    """A library decodes all that it has read at once, and where that has a fault, it gives none of it."""
    name, encode, spoil = WRONG[damage]
    texts = ["".join(sha256(f"{number}, {part}".encode()).hexdigest() for part in range(15)) for number in range(30)]
    content = spoil(encode(b"".join(bodies.chunks(bodies.events(caller, texts)))))
    pieces = [content[:5000], content[5000:]]

    outcome = runs.compare(caller, _events, bodies.stream(pieces, encoding=name), ends=["truncated"])

    assert outcome[-1]["type"] in ("DecodingError", "APIConnectionError")
    assert len(outcome) < len(texts)
