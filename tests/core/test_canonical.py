"""What makes two requests the same request: one canonical text, one hash."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.identity import request_hash
from intercept.spi import JSON
from tests.core.json_values import LEAVES, OBJECTS, VALUES, get, leaves, nested, nested_text, replaced


def _hashed(body: JSON) -> str:
    return request_hash("openai", "openai", {"method": "POST", "path": "/x", "body": body})


def _shuffled(value: JSON, random: Random) -> JSON:
    if isinstance(value, list):
        return [_shuffled(item, random) for item in value]
    if isinstance(value, dict):
        pairs = list(value.items())
        random.shuffle(pairs)
        return {key: _shuffled(item, random) for key, item in pairs}
    return value


@given(request=OBJECTS, random=st.randoms(use_true_random=False))
def test_the_order_of_keys_never_changes_the_hash(request: dict[str, JSON], random: Random) -> None:
    """A dict that was put together in another order asks the same."""
    other = _shuffled(request, random)

    assert isinstance(other, dict)
    assert request_hash("openai", "openai", other) == request_hash("openai", "openai", request)


@given(request=OBJECTS, data=st.data())
def test_any_change_of_one_leaf_changes_the_hash(request: dict[str, JSON], data: st.DataObject) -> None:
    """Whatever stands where, and however little it changes."""
    path = data.draw(st.sampled_from(leaves(request)))
    leaf = data.draw(LEAVES)
    assume(json.dumps(leaf) != json.dumps(get(request, path)))
    other = replaced(request, path, leaf)

    assert isinstance(other, dict)
    assert request_hash("openai", "openai", other) != request_hash("openai", "openai", request)


@given(value=VALUES)
def test_canonical_text_is_read_back_as_the_value_and_written_the_same(value: JSON) -> None:
    """There is nothing left to make canonical, and nothing was lost."""
    text = canonical.dumps(value)

    assert canonical.loads(text) == value
    assert canonical.dumps(canonical.loads(text.decode())) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (0, False),
        (0.0, -0.0),
        (1, "1"),
        (2**53, 2**53 + 1),
        (2**53, float(2**53)),
        (None, "null"),
        ({"seed": None}, {}),
        ([], {}),
        ("", None),
        ([1, 2], [2, 1]),
        ([1, [2]], [[1], 2]),
        ("é", "e\u0301"),
        ("a", "A"),
        ("a", "a "),
    ],
)
def test_what_looks_alike_is_told_apart(one: JSON, other: JSON) -> None:
    """Equal in Python, or to the eye, is not the same on the wire."""
    assert _hashed(one) != _hashed(other)


def test_adapter_and_provider_are_part_of_the_identity() -> None:
    """One body to two providers is two requests."""
    request: dict[str, JSON] = {"method": "POST", "path": "/x"}
    asked = [("openai", "openai"), ("openai", "azure-openai"), ("anthropic", "openai"), ("anthropic", "anthropic")]

    assert len({request_hash(adapter, provider, request) for adapter, provider in asked}) == 4


_CYCLE: list[JSON] = []
_CYCLE.append(_CYCLE)

_NO_JSON: dict[str, JSON] = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": [float("-inf")],
    "lone surrogate": "\ud83d",
    "lone surrogate in a key": {"\udc00": 1},
    "surrogates in the wrong order": {"a": ["\ude00\ud83d"]},
    "lists 100,000 deep": nested(100_000),
    "objects 100,000 deep": nested(100_000, objects=True),
    "an integer of 5,000 digits": 10**4_999,
    "a list in itself": _CYCLE,
}


@pytest.mark.parametrize("value", _NO_JSON.values(), ids=_NO_JSON.keys())
def test_a_value_that_json_cannot_hold_is_refused(value: JSON) -> None:
    """By one error, whatever the reason."""
    with pytest.raises(NotCanonical):
        canonical.dumps(value)
    with pytest.raises(NotCanonical):
        _hashed(value)


_NO_CANONICAL_TEXT: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \n",
    "NaN": b'{"a":NaN}',
    "infinity": b"[Infinity]",
    "minus infinity": b"-Infinity",
    "a number past the largest": b"1e999",
    "lone surrogate": b'"\\ud83d"',
    "lone surrogate in a key": b'{"\\udc00":1}',
    "lists 100,000 deep": nested_text(100_000),
    "objects 100,000 deep": nested_text(100_000, objects=True),
    "lists 100,000 deep and never closed": b"[" * 100_000,
    "an integer of 5,000 digits": b"9" * 5_000,
    "invalid UTF-8": b'"\xff"',
    "half a character": b'"\xc3',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "two values": b"{}{}",
    "a comma too many": b"[1,]",
    "single quotes": b"{'a':1}",
    "raw control character": b'"\x00"',
    "leading zero": b"01",
}


@pytest.mark.parametrize("text", _NO_CANONICAL_TEXT.values(), ids=_NO_CANONICAL_TEXT.keys())
def test_text_without_a_canonical_form_is_refused(text: bytes) -> None:
    """When it is read or when it is written again, and never by another error."""
    with pytest.raises(NotCanonical):
        canonical.dumps(canonical.loads(text))


@given(content=st.one_of(st.binary(), st.text().map(str.encode), VALUES.map(lambda value: json.dumps(value).encode())))
def test_reading_gives_a_value_or_the_one_error(content: bytes) -> None:
    """Any bytes at all."""
    try:
        text = canonical.dumps(canonical.loads(content))
    except NotCanonical:
        return
    assert canonical.dumps(canonical.loads(text)) == text


class _Golden(NamedTuple):
    adapter: str
    provider: str
    request: dict[str, JSON]
    text: str
    digest: str


def _openai(body: JSON, text: str, digest: str) -> _Golden:
    return _Golden(
        "openai",
        "openai",
        {"path": "/x", "method": "POST", "body": body},
        f'{{"adapter":"openai","body":{text},"method":"POST","path":"/x","provider":"openai"}}',
        digest,
    )


_HI: dict[str, JSON] = {"role": "user", "content": "hi"}
_CHAT: dict[str, JSON] = {
    "method": "POST",
    "path": "/chat/completions",
    "body": {"model": "gpt-4o", "messages": [_HI]},
}

# Both columns on the right were made without this package: a change here makes every cassette miss.
_GOLDEN: dict[str, _Golden] = {
    "a chat completion": _Golden(
        "openai",
        "openai",
        _CHAT,
        '{"adapter":"openai","body":{"messages":[{"content":"hi","role":"user"}],"model":"gpt-4o"},'
        '"method":"POST","path":"/chat/completions","provider":"openai"}',
        "552e77fd3d45d04e152b1871281a83ce8d6a99646350b5fef7010fafee0fe1e0",
    ),
    "the same by another provider": _Golden(
        "openai",
        "azure-openai",
        _CHAT,
        '{"adapter":"openai","body":{"messages":[{"content":"hi","role":"user"}],"model":"gpt-4o"},'
        '"method":"POST","path":"/chat/completions","provider":"azure-openai"}',
        "881a800fb01cd4c0218e06fd3a6a0d6c8d8e314cab89637007c5c50984242b40",
    ),
    "a message with a beta header": _Golden(
        "anthropic",
        "anthropic",
        {
            "method": "POST",
            "path": "/v1/messages",
            "headers": [["anthropic-beta", "files-api-2025-04-14"]],
            "body": {"model": "claude-test", "max_tokens": 64, "messages": [_HI]},
        },
        '{"adapter":"anthropic","body":{"max_tokens":64,"messages":[{"content":"hi","role":"user"}],'
        '"model":"claude-test"},"headers":[["anthropic-beta","files-api-2025-04-14"]],'
        '"method":"POST","path":"/v1/messages","provider":"anthropic"}',
        "ba4f3854136137a9a795c5a8d25ede65774cc0ab51a4af5823463292edcdca8d",
    ),
    "no body": _Golden(
        "openai",
        "openai",
        {"method": "GET", "path": "/models"},
        '{"adapter":"openai","method":"GET","path":"/models","provider":"openai"}',
        "d422da01642d2de6abd3fd004e0ccaf3eeaf29af7e0fced4d3ef6f2d1e2a60b0",
    ),
    "a query": _Golden(
        "openai",
        "openai",
        {"method": "GET", "path": "/files", "query": [["after", ""], ["limit", "2"]]},
        '{"adapter":"openai","method":"GET","path":"/files","provider":"openai","query":[["after",""],["limit","2"]]}',
        "2c2ae2eb7ff490612d2beb25a2f819e88ad54db3da3e251dadd89bcc9aa3cd4e",
    ),
    "text is not escaped": _Golden(
        "openai",
        "openai",
        {"method": "POST", "path": "/embeddings", "body": {"input": "Zoë 你好 👩\u200d🚀 \u2028"}},
        '{"adapter":"openai","body":{"input":"Zoë 你好 👩\u200d🚀 \u2028"},'
        '"method":"POST","path":"/embeddings","provider":"openai"}',
        "f6ea400c87407557fd6f0aff00fc20b95a9a028b74680caf72b9affe5ef5dd45",
    ),
    "numbers": _openai(
        [0, -1, 1.0, 0.1, -0.0, 1e22, 1e-7, 2**53 + 1],
        "[0,-1,1.0,0.1,-0.0,1e+22,1e-07,9007199254740993]",
        "fa63b2dfe1f2eafba05c3b823aa77e4e56f75c7208191fd2ce1cbccd6a0b0f4c",
    ),
    "null is there": _openai(
        {"seed": None}, '{"seed":null}', "5e364a5cb2ceddbaf36fc534ab78e85264b0912a92b45ca242375cd1af1540b6"
    ),
    "an empty object is there": _openai({}, "{}", "bf36feb47f9ec05ad68d1bc5442949f46cdc59b4d919f8627f5bb27624fe12e6"),
    "keys are sorted by code point": _openai(
        {"\U0001f680": 5, "\ufb01": 4, "é": 3, "a": 2, "A": 1, "": 0},
        '{"":0,"A":1,"a":2,"é":3,"\ufb01":4,"\U0001f680":5}',
        "30c6350ba7ed958fe6c9d7c5bc4dfb4c6952b4788f37d064fb15735033701be4",
    ),
    "control characters": _openai(
        '" \\ / \n \t \x00 \x1f \x7f',
        '"\\" \\\\ / \\n \\t \\u0000 \\u001f \x7f"',
        "ab8300cdd7867332134114e318a27f43a9954249ba57f935c5fc8db473a59391",
    ),
    "arrays keep their order": _openai(
        {"tools": [{"a": []}, [[False]]], "stream": True},
        '{"stream":true,"tools":[{"a":[]},[[false]]]}',
        "e04f1218db641286032c0e3b09df2e9d84cbb936a8f7497b959d4fea711565b5",
    ),
}


@pytest.mark.parametrize("golden", _GOLDEN.values(), ids=_GOLDEN.keys())
def test_hashes_stay_what_they_are(golden: _Golden) -> None:
    """A cassette recorded today answers for as long as the hash version is 1."""
    assert canonical.HASH_VERSION == 1
    assert golden.digest == hashlib.sha256(golden.text.encode()).hexdigest()
    assert request_hash(golden.adapter, golden.provider, golden.request) == golden.digest
