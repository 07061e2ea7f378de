"""Secrets that lie across the deltas of a stream: found in the joined text, and rewritten where the pieces stand."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import intercept
from intercept_openai.pieces import pieces as openai_pieces
from tests.core.redacting import answered, redaction
from tests.core.secrets import NAMES, secret
from tests.core.splitting import STREAMS, sse

_WISHES = [intercept.EMAIL, intercept.PHONE]
_EVENTS = "text/event-stream"
_QUICK = ("chat content", "messages tool input")


def _cut(text: str, points: list[int]) -> list[str]:
    places = [0, *sorted(points), len(text)]
    return [text[start:stop] for start, stop in pairwise(places)]


def _stored(name: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    stream = STREAMS[name]
    return [event["data"] for event in answered(_EVENTS, sse(events), wishes=_WISHES, pieces=stream.pieces)]


@pytest.mark.parametrize(
    "name", [name if name in _QUICK else pytest.param(name, marks=pytest.mark.slow) for name in STREAMS]
)
@pytest.mark.parametrize(
    "kind", [*NAMES[::6], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES if name not in NAMES[::6])]
)
def test_a_secret_in_single_letters_is_found(kind: str, name: str) -> None:
    """Every event stays, in its place; the placeholder stands where the secret began, and what repeats it says so."""
    stream, planted = STREAMS[name], secret(kind)
    text = f"see {planted.text} there"
    events = [stream.delta(letter, 0) for letter in text] + stream.whole(text)

    stored = _stored(name, events)

    joined = "".join(stream.read(event) or "" for event in stored[: len(text)])
    assert len(stored) == len(events)
    assert joined == redaction(wishes=_WISHES).text(text)
    assert planted.left_in(json.dumps(stored)) == []
    for event, repeats in zip(stored[len(text) :], stream.whole(joined), strict=True):
        assert event == repeats


@given(
    name=st.sampled_from([*STREAMS]),
    kinds=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    between=st.lists(st.text(st.characters(codec="utf-8"), max_size=8), min_size=4, max_size=4),
    data=st.data(),
)
@settings(deadline=None)
def test_wherever_it_is_cut_the_joined_text_is_redacted(
    name: str, kinds: list[str], between: list[str], data: st.DataObject
) -> None:
    """Empty deltas, single letters, several secrets, letters of any script beside, and two texts at once."""
    stream = STREAMS[name]
    planted = [secret(kind, seed) for seed, kind in enumerate(kinds)]
    texts = ["".join(f"{gap} {each.text} " for gap, each in zip(between, planted, strict=False)), between[3]]
    cut = [_cut(text, data.draw(st.lists(st.integers(0, len(text)), max_size=12))) for text in texts]
    order = data.draw(st.permutations([channel for channel, parts in enumerate(cut) for _ in parts]))
    left = [iter(parts) for parts in cut]

    stored = _stored(name, [stream.delta(next(left[channel]), channel) for channel in order])

    read = [
        "".join(stream.read(event) or "" for event, of in zip(stored, order, strict=True) if of == channel)
        for channel in (0, 1)
    ]
    exchange = redaction(wishes=_WISHES)
    first = order[0] if order else 0
    expected = {channel: exchange.text(texts[channel]) for channel in (first, 1 - first)}
    assert read == [expected[0], expected[1]]
    assert [each.left_in(json.dumps(stored, ensure_ascii=False)) for each in planted] == [[]] * len(planted)


def test_the_fields_of_tool_arguments_are_known_by_their_names() -> None:
    """`password` is told by its name alone; numbers become texts, and the JSON stays JSON."""
    told = {"user": "ada", "password": "hunter2", "pin": 1, "api_key": 12345, "signature": "sk-" + "a1" * 20}
    arguments = json.dumps(told)
    stream = STREAMS["chat tool arguments"]

    stored = _stored("chat tool arguments", [stream.delta(letter, 0) for letter in arguments])

    joined = "".join(stream.read(event) or "" for event in stored)
    assert json.loads(joined) == {
        "user": "ada",
        "password": "[REDACTED:field:1]",
        "pin": 1,
        "api_key": "[REDACTED:field:2]",
        "signature": "[REDACTED:openai-key:1]",
    }


@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
def test_log_probabilities_tell_nothing_token_by_token(streamed: bool) -> None:
    """Each token of an answer is told once more, with its bytes and what else it might have been."""
    planted = secret("openai project 58")
    tokens = _cut(f"mine: {planted.text}!", [*range(0, 150, 3)])
    told = [
        {"token": token, "logprob": -0.1, "bytes": [*token.encode()], "top_logprobs": [{"token": token, "bytes": None}]}
        for token in tokens
    ]
    if streamed:
        chunks = [{"choices": [{"index": 0, "delta": {}, "logprobs": {"content": [one]}}]} for one in told]
        events = answered(_EVENTS, sse(chunks), pieces=openai_pieces)
        stored = [event["data"]["choices"][0]["logprobs"]["content"][0] for event in events]
    else:
        body = {"choices": [{"index": 0, "message": {"content": "x"}, "logprobs": {"content": told}}]}
        events = answered("application/json", json.dumps(body).encode(), pieces=openai_pieces)
        stored = events[0]["json"]["choices"][0]["logprobs"]["content"]

    assert "".join(one["token"] for one in stored) == "mine: [REDACTED:openai-key:1]!"
    assert planted.left_in(json.dumps(stored)) == []
    changed = [one for one, before in zip(stored, told, strict=True) if one != before]
    assert changed
    assert all((one["bytes"], one["top_logprobs"]) == (None, []) for one in changed)
    assert [one["logprob"] for one in stored] == [-0.1] * len(told)


def test_what_only_begins_a_token_in_its_delta_is_none() -> None:
    """`ta` and `sk-...` are a word; what a delta looks like alone does not count."""
    stream = STREAMS["responses text"]
    rest = "sk-" + "1a" * 20
    events = [stream.delta("ta", 0), stream.delta(rest, 0), *stream.whole("ta" + rest)]

    assert _stored("responses text", events) == events


def test_events_that_are_kept_as_text_are_rewritten_too() -> None:
    """Of an odd form, or with half of a surrogate pair, which UTF-8 cannot hold."""
    planted = secret("github")
    events = [STREAMS["chat content"].delta(part, 0) for part in _cut(f"\ud83d see {planted.text} \ude00", [9, 15, 30])]
    body = b"".join(b"data:  " + json.dumps(event).encode() + b"\r\n\r\n" for event in events)

    stored = answered(_EVENTS, body, pieces=openai_pieces)

    assert len(stored) == len(events)
    assert planted.left_in(json.dumps(stored)) == []
    texts = [json.loads(event["text"].partition("data:")[2])["choices"][0]["delta"]["content"] for event in stored]
    assert "".join(texts) == "\ud83d see [REDACTED:github-token:1] \ude00"
