"""Whatever a provider sends or is sent, redaction raises nothing, and what it writes is a row that can be replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intercept import adapters, events
from intercept.answers import Answer
from intercept.canonical import NotCanonical
from intercept.identity import identified
from intercept.redaction import EMAIL, PHONE, Redactor
from intercept.redaction.custom import Custom
from intercept.redaction.positions import compiled
from intercept.redaction.redactor import Redaction
from intercept.spi import JSON, Call
from tests.core.json_values import VALUES, nested_text
from tests.core.secrets import Maker

SECRETS = [secret.text for secret in Maker("anything").all()]
LITERAL = 'pä"ss\\' + "w0rd" * 5
REDACTOR = Redactor((LITERAL,), Custom([EMAIL, PHONE]))
TYPES = ["text/event-stream", "application/json", "application/x-jsonl", "text/plain", "audio/mpeg", ""]
# What the adapters look for, so that it is met in every wrong shape too.
NAMES = st.sampled_from(
    ["choices", "delta", "index", "tool_calls", "function", "arguments", "content", "logprobs", "token", "bytes",
     "top_logprobs", "type", "content_block", "text", "signature", "password", "api_key", "headers", "item_id", "id"]
)  # fmt: skip
TEXTS = st.sampled_from(
    [*SECRETS, LITERAL, "content_block_delta", "response.output_text.delta", "\\u00", "%c3%", "eyJ"]
)
SHAPES: st.SearchStrategy[JSON] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-1, 3), TEXTS, st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(list), st.dictionaries(NAMES | TEXTS, inner, max_size=4).map(dict)
    ),
    max_leaves=20,
)
TREES = VALUES | SHAPES


def _kept(adapter: str, content_type: str, body: bytes) -> list[Any]:
    installed = adapters.installed()[adapter]
    untouched = compiled(tuple(installed.untouched(Call(adapter, adapter, "POST /x", "POST", "/x"))))
    answer = Answer(Redaction(REDACTOR.finder), REDACTOR.custom, untouched, installed.pieces)
    count = 0
    for event in events.store(content_type, events.split(content_type, [body])):
        answer.add(event.stored, event.carried)
        count += 1
    kept: list[Any] = json.loads(b"".join(answer.end()))
    assert len(kept) == count
    assert sum(1 for _ in events.restore(kept)) == count
    return kept


@settings(max_examples=80, deadline=None)
@given(
    adapter=st.sampled_from(["openai", "anthropic"]),
    content_type=st.sampled_from(TYPES),
    values=st.lists(TREES, max_size=4),
    frame=st.sampled_from(["data: {}\n\n", "event: x\ndata: {}\n\n", "data:{}\r\n\r\n", "{}\n", "{}"]),
    encoder=st.builds(
        json.JSONEncoder,
        ensure_ascii=st.booleans(),
        separators=st.sampled_from([(",", ":"), (", ", ": "), (" , ", ":")]),
    ),
)
def test_any_json_is_kept(
    adapter: str, content_type: str, values: list[JSON], frame: str, encoder: json.JSONEncoder
) -> None:
    """In every frame, well-formed for its type or not, and of any shape where an adapter expects another."""
    texts = map(encoder.encode, values)
    body = "".join(frame.replace("{}", text) for text in texts)

    _kept(adapter, content_type, body.encode("utf-8", "surrogatepass"))


@settings(max_examples=80, deadline=None)
@given(
    content_type=st.sampled_from(TYPES),
    parts=st.lists(st.binary(max_size=12) | st.sampled_from(["\n\n", "data: ", '{"a":"', '"}', *SECRETS]), max_size=8),
)
def test_any_bytes_are_kept(content_type: str, parts: list[bytes | str]) -> None:
    """Also those that are no text, with secrets among them."""
    _kept("openai", content_type, b"".join(part if isinstance(part, bytes) else part.encode() for part in parts))


@settings(max_examples=100, deadline=None)
@given(body=TREES, path=st.text(max_size=4) | TEXTS, query=st.lists(st.tuples(TEXTS, st.text() | TEXTS), max_size=2))
def test_any_request_has_a_hash_or_none(body: JSON, path: str, query: list[tuple[str, str]]) -> None:
    """And the same hash again once it is redacted."""
    call = Call("openai", "openai", f"POST {path}", "POST", path, query=tuple(query), body=body)
    try:
        redacted, request_hash, _ = identified(call, REDACTOR, compiled(()))
    except NotCanonical:
        return
    assert identified(redacted, REDACTOR, compiled(()))[1] == request_hash


ODD = {
    "lone surrogates over deltas": [
        b'{"choices":[{"index":0,"delta":{"content":"\\ud83d"}}]}',
        b'{"choices":[{"index":0,"delta":{"content":"\\ude00 KEY"}}]}',
    ],
    "NaN": [b'{"a":NaN,"b":"KEY"}'],
    "a duplicate name": [b'{"a":"KEY","a":"KEY"}'],
    "a huge number": [b'{"password":1e999,"b":' + b"9" * 5000 + b',"c":"KEY"}'],
    "deep": [b'{"a":"KEY","b":' + nested_text(90) + b"}"],
    "too deep": [b'{"a":"KEY","b":' + nested_text(5_000) + b"}"],
    "far too deep": [b'{"a":"KEY","b":' + nested_text(200_000) + b"}"],
    "cut off": [b'{"a":"KEY","b":"'],
    "no JSON": [b"KEY"],
    "a secret cut off": [b'{"choices":[{"index":0,"delta":{"content":"KEY', b""],
}


@pytest.mark.parametrize("frame", [b"data: %b\n\n", b"data:%b\r\n\r\n", b'data: {\ndata: "x":%b}\n\n', b"%b\n"])
@pytest.mark.parametrize("content_type", TYPES[:4])
@pytest.mark.parametrize("odd", ODD)
def test_odd_bodies_are_kept_without_their_secrets(odd: str, content_type: str, frame: bytes) -> None:
    """What JSON can be written as, and not be read as."""
    key = SECRETS[1].encode()
    body = b"".join(frame % text.replace(b"KEY", key) for text in ODD[odd])

    kept = _kept("openai", content_type, body)

    assert key[8:30].decode() not in json.dumps(kept)
