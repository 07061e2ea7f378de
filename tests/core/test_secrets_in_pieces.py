"""A secret that comes in pieces, however it is cut and whatever comes between, is found as the one text that it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intercept import adapters, events
from intercept.answers import Answer
from intercept.redaction import EMAIL, PHONE, Redactor
from intercept.redaction.custom import Custom
from intercept.redaction.placeholders import plain
from intercept.redaction.positions import compiled
from intercept.redaction.redactor import Redaction
from intercept.spi import Call
from tests.conformance.asking_secrets import chat_stream, message_stream, response_stream
from tests.core.searching import left
from tests.core.secrets import CLASSES, Maker

REDACTOR = Redactor((), Custom([EMAIL, PHONE]))
BESIDE = ["", "a", " ", "😀", "ü", '"', "\\", "[", "]", "[REDACTED:jwt:1]", "\n", "is it: "]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw a text that holds a secret, among other things."""
    kind = draw(st.sampled_from(sorted(CLASSES)))
    secret = CLASSES[kind](Maker(draw(st.integers(0, 99))), kind).text
    before, after = draw(st.sampled_from(BESIDE[1:])), draw(st.sampled_from(BESIDE[1:]))
    text = f"{before} {secret} {after}"
    return json.dumps({"a": text}) if draw(st.booleans()) else text


@st.composite
def in_pieces(draw: st.DrawFn) -> list[str]:
    """Draw such a text in pieces: single letters, none at all, or long ones."""
    text = draw(texts())
    at = sorted(draw(st.lists(st.integers(0, len(text)), max_size=40)))
    return [text[start:stop] for start, stop in zip([0, *at], [*at, len(text)], strict=True)]


def stored(adapter: str, body: bytes, content_type: str = "text/event-stream") -> list[Any]:
    """Return the events of an answer as a row has them."""
    installed = adapters.installed()[adapter]
    untouched = compiled(tuple(installed.untouched(Call(adapter, adapter, "POST /x", "POST", "/x"))))
    answer = Answer(Redaction(REDACTOR.finder), REDACTOR.custom, untouched, installed.pieces)
    for event in events.store(content_type, events.split(content_type, [body])):
        answer.add(event.stored, event.carried)
    kept: list[Any] = json.loads(b"".join(answer.end()))
    return kept


def _numberless(text: str) -> str:
    return plain(text)


def _redacted(pieces: Sequence[str]) -> str:
    return _numberless(Redaction(REDACTOR.finder).text("".join(pieces)))


def _joined(kept: Sequence[Any], find: Any) -> str:
    return _numberless("".join(piece for event in kept if isinstance(piece := find(event.get("data")), str)))


@settings(max_examples=30, deadline=None)
@given(first=in_pieces(), second=in_pieces(), third=in_pieces(), choices=st.integers(1, 2))
def test_deltas_of_a_chat_join_to_the_redacted_text(
    first: list[str], second: list[str], third: list[str], choices: int
) -> None:
    """Content and the arguments of two tools that are called at once, in one choice or in two."""
    answer = chat_stream(("content", first), ("tool 0", second), ("tool 1", third), choices=choices)
    body = b"".join(answer.chunks or ())

    kept = stored("openai", body)

    def of(index: int, tool: int | None) -> Any:
        def found(data: Any) -> Any:
            choice: Any = data["choices"][0] if data is not None else {"index": None}
            if choice["index"] != index:
                return None
            delta: Any = choice["delta"]
            (call,) = delta.get("tool_calls", [{"index": None}])
            return (
                delta.get("content")
                if tool is None
                else call["function"]["arguments"]
                if call["index"] == tool
                else None
            )

        return found

    assert len(kept) == len(list(events.split("text/event-stream", [body])))
    for index in range(choices):
        for tool, pieces in ((None, first), (0, second), (1, third)):
            assert _joined(kept, of(index, tool)) == _redacted(pieces)


@settings(max_examples=30, deadline=None)
@given(first=in_pieces(), second=in_pieces(), third=in_pieces())
def test_deltas_of_a_response_join_to_what_is_told_whole(first: list[str], second: list[str], third: list[str]) -> None:
    """What ends a text, its item and the response repeat it with the very placeholders of the deltas."""
    kept = stored("openai", b"".join(response_stream([first, second, third]).chunks or ()))

    whole = kept[-1]["data"]["response"]["output"]
    told = [whole[0]["content"][0]["text"], whole[1]["arguments"], whole[2]["summary"][0]["text"]]
    for number, (pieces, name) in enumerate(((first, "text"), (second, "arguments"), (third, "text"))):
        here = [event["data"] for event in kept if event["data"].get("output_index") == number]
        deltas = "".join(data["delta"] for data in here if data["type"].endswith(".delta"))
        assert deltas == told[number]
        assert [data[name] for data in here if data["type"].endswith(f"{name}.done")] == [deltas]
        assert [data["item"] for data in here if "item" in data] == [whole[number]]
        assert _numberless(deltas) == _redacted(pieces)


@settings(max_examples=30, deadline=None)
@given(first=in_pieces(), second=in_pieces(), third=in_pieces())
def test_deltas_of_a_message_join_to_the_redacted_text(first: list[str], second: list[str], third: list[str]) -> None:
    """A thought, a text, and the input of a tool, taking turns."""
    blocks = (("thinking", first), ("text", second), ("partial_json", third))

    kept = stored("anthropic", b"".join(message_stream(*blocks).chunks or ()))

    for index, (name, pieces) in enumerate(blocks):

        def found(data: Any, index: int = index, name: str = name) -> Any:
            return data["delta"].get(name) if data.get("index") == index and "delta" in data else None

        assert _joined(kept, found) == _redacted(pieces)


@settings(max_examples=30, deadline=None)
@given(pieces=in_pieces())
def test_tokens_of_log_probabilities_join_to_the_redacted_text(pieces: list[str]) -> None:
    """A token is told once more beside itself, by its bytes and among those that it was chosen from."""
    tokens = [
        {"token": piece, "logprob": -0.1, "bytes": list(piece.encode()), "top_logprobs": [
            {"token": piece, "logprob": -0.1, "bytes": list(piece.encode())}
        ]}
        for piece in pieces
    ]  # fmt: skip
    choice = {"index": 0, "message": {"role": "assistant", "content": "".join(pieces)}, "logprobs": {"content": tokens}}
    body = json.dumps({"id": "chatcmpl-1", "choices": [choice]}, separators=(",", ":"), ensure_ascii=False)

    (kept,) = stored("openai", body.encode(), "application/json")

    choice = kept["json"]["choices"][0]
    told = choice["logprobs"]["content"]
    assert "".join(token["token"] for token in told) == choice["message"]["content"]
    for token in told:
        assert token["bytes"] in (None, list(token["token"].encode()))
        assert [other["token"] for other in token["top_logprobs"]] in ([], [token["token"]])


@settings(max_examples=30, deadline=None)
@given(pieces=in_pieces(), at=st.integers(0, 60))
def test_a_stream_that_breaks_off_shows_nothing_of_what_was_whole(pieces: list[str], at: int) -> None:
    """What was cut off may not be told as a secret yet; whatever can be, is."""
    answer = chat_stream(("content", pieces))
    body = b"".join((answer.chunks or ())[: min(at, len(pieces))])

    kept = stored("openai", body)

    joined = "".join(event["data"]["choices"][0]["delta"]["content"] for event in kept)
    assert _numberless(joined) == _redacted(pieces[: min(at, len(pieces))])


@pytest.mark.parametrize("frame", ["data:{}\n\n", ": hello\ndata: {}\n\n", "data: {}\r\n\r\n", "id: 1\ndata: {}\n\n"])
@pytest.mark.parametrize("spaces", [(", ", ": "), (",", ": "), (" ,", ":")], ids=repr)
def test_deltas_in_odd_frames_are_found(frame: str, spaces: tuple[str, str]) -> None:
    """What is stored as text, as it cannot be written again to the byte otherwise."""
    secret = CLASSES["openai project 74"](Maker(0), "openai project 74")
    halves = [secret.text[:9], secret.text[9:80], secret.text[80:]]
    bodies = [{"choices": [{"index": 0, "delta": {"content": half}}]} for half in halves]
    body = "".join(frame.replace("{}", json.dumps(each, separators=spaces)) for each in bodies)

    kept = stored("openai", body.encode())

    assert len(kept) == len(halves)
    texts = [json.loads(events.named(part)[1])["choices"][0]["delta"]["content"] for part in events.restore(kept)]
    assert texts == ["[REDACTED:openai-key:1]", "", ""]
    assert left(json.dumps(kept), [secret]) == []
