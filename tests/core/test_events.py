"""Bodies as events, and back to the very bytes: through a row, as a cassette holds it."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intercept import events
from intercept.cassette import format as form
from intercept.cassette.format import Exchange
from intercept.cassette.rows import decode_row
from intercept.events import MalformedEvent, named, restore, split, store
from intercept.redaction import Redactor
from intercept.spi import JSON, Call
from tests.core.json_values import VALUES, nested_text

SSE = "text/event-stream; charset=utf-8"
JSON_TYPE = "application/json"
LINES = "application/x-jsonl"

_CALL = Call("openai", "openai", "POST /x", "POST", "/x")


def _stored(content_type: str, body: bytes) -> list[JSON]:
    return [event.stored for event in store(content_type, split(content_type, [body]), Redactor(()))]


def _carried(content_type: str, blocks: list[bytes]) -> list[dict[str, JSON] | None]:
    return [event.carried for event in store(content_type, blocks, Redactor(()))]


def _read_from_a_row(events: list[JSON]) -> Any:
    """Write a row with these events as recordings do, and read them from it as replays do."""
    array = form.Array()
    for event in events:
        array.add(event)
    line = b"".join(form.row(Exchange(_CALL, "0" * 64, 0, 200, (), array.end(), "complete")))
    return json.loads(bytes(decode_row("x.jsonl:2", line).events))


def _replayed(content_type: str, body: bytes) -> bytes:
    return b"".join(restore(_read_from_a_row(_stored(content_type, body))))


def _written(value: JSON, style: str, *, ascii_only: bool) -> str:
    indent = {"indent-2": 2, "indent-4": 4, "indent-3": 3}.get(style)
    compact = (",", ":") if style == "compact" else None
    return json.dumps(value, ensure_ascii=ascii_only, indent=indent, separators=compact)


_TRICKY = (
    "[DONE]",
    "",
    " ",
    "null",
    "17",
    '"text"',
    "{}",
    "[]",
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":1,"a":2}',
    '{"a":"\\ud83d"}',
    '{"a":"\\ude00\\ud83d"}',
    '{"\\ud83d":1}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\ud83d\ude00"}'.encode("utf-16", "surrogatepass").decode("utf-16"),
    '{"a":"\\u00e9"}',
    '{"a":"\\u00E9"}',
    '{"a":"\\/"}',
    '{"a":"\x7f\u2028\u0085"}',
    '{"a":"tab\there"}',
    '{"a":1e5}',
    '{"a":1.0}',
    '{"a":0.10}',
    '{"a":-0}',
    '{"a":-0.0}',
    '{"a":1E+2}',
    '{"a":1e999}',
    '{"a":0.1000000000000000055511151231257827}',
    '{"a":12345678901234567890123}',
    '{"a":9007199254740993}',
    f'{{"a":{"9" * 5_000}}}',
    '{"a":1}   ',
    '{"a":1   }',
    '{ "a" : 1 }',
    ' {"a":1}',
    '{"a": 1, "b": [1, 2]}',
    '{"a": 1,"b":2}',
    '{"a":[1,2,{"b":null,"c":true}]}',
    '{"a":{}, "b":[]}',
    '{\n  "a": {},\n  "b": []\n}',
    '{"a":1',
    "{'a':1}",
)

_json_text = st.builds(
    _written,
    VALUES,
    st.sampled_from(["compact", "spaced", "indent-2", "indent-4", "indent-3"]),
    ascii_only=st.booleans(),
)
_data = _json_text.filter(lambda text: "\n" not in text) | st.sampled_from(_TRICKY).filter(
    lambda text: "\n" not in text
)
_blanks = st.sampled_from(["", "", " ", "          ", "\t"])
_frame = st.one_of(
    st.builds("data: {}{}\n\n".format, _data, _blanks),
    st.builds("event: {}\ndata: {}{}\n\n".format, st.sampled_from(["ping", "message_stop", "é", ""]), _data, _blanks),
    st.builds("event: {}\r\ndata: {}\r\n\r\n".format, st.sampled_from(["ping", "done"]), _data),
    st.builds("data:{}\n\n".format, _data),
    st.builds("data: {}\r\r".format, _data),
    st.builds("id: 7\nretry: 10\ndata: {}\n\n".format, _data),
    st.builds("data: {}\nevent: late\n\n".format, _data),
    st.builds("data: {}\ndata: {}\n\n".format, _data, _data),
    st.builds(": {}\n\n".format, st.sampled_from(["keep-alive", "OPENROUTER PROCESSING", ""])),
    st.sampled_from(
        [
            'event: ping\ndata: {"type": "ping"}\n\n',
            "data: [DONE]\n\n",
            "event: ping\n\n",
            "\n\n",
            "\r\n\r\n",
            "\n",
            "\ufeff",
        ]
    ),
    st.text(max_size=12),
)
_stream = st.lists(_frame, max_size=6).map("".join).map(str.encode)


@given(body=_stream, data=st.data())
def test_a_stream_of_any_events_comes_back_to_the_byte(body: bytes, data: st.DataObject) -> None:
    """Whole, or cut anywhere: in a line, in a blank line, or in the middle of a character."""
    cut = body[: data.draw(st.integers(0, len(body)))]

    assert _replayed(SSE, body) == body
    assert _replayed(SSE, cut) == cut


@given(
    content_type=st.sampled_from([SSE, JSON_TYPE, "application/vnd.x+json", LINES, "text/html", "audio/mpeg", "", ";"]),
    body=st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode), _stream),
)
@example(SSE, b"data: \xff\n\n")
@example(JSON_TYPE, b'{"a":"\xc3')
@example(JSON_TYPE, b"")
@example(LINES, b"\n\n\r\n")
@example(LINES, b'{"a":1}\x0b{"a":1}\x1c\x85')
def test_any_bytes_of_any_type_come_back_to_the_byte(content_type: str, body: bytes) -> None:
    """What the content type says need not be true."""
    assert _replayed(content_type, body) == body


@given(text=_json_text, tail=st.sampled_from(["", "\n", " \r\n\t ", "\n\n"]))
def test_a_json_body_in_any_style_comes_back_to_the_byte(text: str, tail: str) -> None:
    """Compact, spaced or indented, escaped or not, with and without a last newline."""
    body = (text + tail).encode()

    assert _replayed(JSON_TYPE, body) == body


@given(lines=st.lists(_data, max_size=5), end=st.sampled_from(["\n", "\r\n"]), closed=st.booleans())
def test_json_lines_come_back_to_the_byte(lines: list[str], end: str, *, closed: bool) -> None:
    """With either end of line, and with or without the last one."""
    body = (end.join(lines) + end * closed).encode()

    assert _replayed(LINES, body) == body


@pytest.mark.parametrize("tricky", _TRICKY, ids=lambda text: repr(text[:40]))
def test_what_json_writers_disagree_on_comes_back_to_the_byte(tricky: str) -> None:
    """Numbers, escapes, blanks, and what is no JSON at all, each as a body and inside of a stream."""
    shapes = ["{}", "{}\n", "data: {}\n\n", "event: message\ndata: {}\n\n", "data: {}\r\n\r\n"]
    bodies = {shape: shape.format(tricky).encode() for shape in shapes}

    assert {shape: _replayed(SSE if ":" in shape else JSON_TYPE, body) for shape, body in bodies.items()} == bodies


@pytest.mark.parametrize("objects", [False, True])
@pytest.mark.parametrize("depth", [200, 600, 950, 1_200, 8_000, 100_000])
@pytest.mark.parametrize("content_type", [JSON_TYPE, SSE])
def test_nesting_of_any_depth_comes_back_to_the_byte(content_type: str, depth: int, *, objects: bool) -> None:
    """Past what Python can walk through it is kept as text; in between there is no depth that fails."""
    text = nested_text(depth, objects=objects)
    body = b"data: " + text + b"\n\n" if content_type == SSE else text

    try:
        same = _replayed(content_type, body) == body
    except RecursionError:  # pytest would compare the frames, and all that they hold, for minutes
        same = False
    assert same


_READABLE: dict[str, tuple[str, bytes, list[JSON]]] = {
    "OpenAI, compact": (
        JSON_TYPE,
        '{"id":"chatcmpl-1","choices":[{"message":{"content":"Zoë \\"hi\\""}}],"usage":null}'.encode(),
        [{"json": {"id": "chatcmpl-1", "choices": [{"message": {"content": 'Zoë "hi"'}}], "usage": None}}],
    ),
    "OpenAI, indented": (
        JSON_TYPE,
        b'{\n  "id": "chatcmpl-1",\n  "choices": [\n    {\n      "index": 0\n    }\n  ],\n  "usage": {}\n}\n',
        [
            {
                "json": {
                    "id": "chatcmpl-1",
                    "choices": [{"index": 0}],
                    "usage": {},
                },
                "style": "indent-2",
                "tail": "\n",
            }
        ],
    ),
    "OpenAI, an error with four blanks": (
        JSON_TYPE,
        b'{\n    "error": {\n        "message": "no",\n        "code": null\n    }\n}',
        [{"json": {"error": {"message": "no", "code": None}}, "style": "indent-4"}],
    ),
    "escaped": (JSON_TYPE, b'{"a":"Zo\\u00eb"}', [{"json": {"a": "Zoë"}, "style": "compact-ascii"}]),
    "OpenAI, a chat stream": (
        SSE,
        'data: {"choices":[{"delta":{"content":"👋"}}]}\n\ndata: {"choices":[],"usage":{"total_tokens":3}}\n\n'
        "data: [DONE]\n\n".encode(),
        [
            {"data": {"choices": [{"delta": {"content": "👋"}}]}},
            {"data": {"choices": [], "usage": {"total_tokens": 3}}},
            {"text": "data: [DONE]\n\n"},
        ],
    ),
    "OpenAI, a stream of responses": (
        SSE,
        b'event: response.created\ndata: {"type":"response.created","sequence_number":0}\n\n',
        [{"event": "response.created", "data": {"type": "response.created", "sequence_number": 0}}],
    ),
    "Anthropic, blanks after the JSON": (
        SSE,
        b'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}          \n\n',
        [{"event": "content_block_stop", "data": {"type": "content_block_stop", "index": 0}, "tail": " " * 10}],
    ),
    "Anthropic, a ping": (
        SSE,
        b'event: ping\ndata: {"type": "ping"}\n\n',
        [{"event": "ping", "data": {"type": "ping"}, "style": "spaced"}],
    ),
    "Anthropic, batch results": (
        LINES,
        b'{"custom_id":"a","result":{"type":"succeeded"}}\n{"custom_id":"b","result":{"type":"expired"}}\n',
        [
            {"json": {"custom_id": "a", "result": {"type": "succeeded"}}, "tail": "\n"},
            {"json": {"custom_id": "b", "result": {"type": "expired"}}, "tail": "\n"},
        ],
    ),
}


@pytest.mark.parametrize(("content_type", "body", "events"), _READABLE.values(), ids=_READABLE.keys())
def test_what_providers_send_is_stored_for_people_to_read(content_type: str, body: bytes, events: list[JSON]) -> None:
    """Parsed, with the way it was written beside it."""
    stored = _stored(content_type, body)

    assert stored == events
    assert b"".join(restore(stored)) == body


# As Anthropic's API really sends them: blanks of a random number before the brace that closes the event.
_PADDED = (
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":3}}    }\n\n'
    b'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"A"}  }\n\n'
    b'event: message_stop\ndata: {"type":"message_stop"             }\n\n'
)


def test_the_padding_anthropic_puts_into_its_events_keeps_them_readable() -> None:
    """Nine in ten of its stream events carry it; as raw text nobody could read or compare them."""
    stored = _stored(SSE, _PADDED)

    assert [event.get("data") for event in stored if isinstance(event, dict)] == [
        {"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": 3}}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "A"}},
        {"type": "message_stop"},
    ]
    assert b"".join(restore(stored)) == _PADDED


def test_objects_are_read_however_they_are_written() -> None:
    """Padding, line ends and several lines of data do not hide them; text and lists are passed over."""
    blocks = [
        b'data: {"a":1  }\n\n',
        b'event: e\r\ndata:{"b":\r\ndata: 2}\r\n\r\n',
        b"data: [DONE]\n\n",
        b": x\n\n",
        b"\xff",
    ]

    assert _carried(SSE, blocks) == [{"a": 1}, {"b": 2}, None, None, None]
    assert _carried(JSON_TYPE, [b'{"c": 3}\n', b"[1]", b"4"]) == [{"c": 3}, None, None]


@given(st.lists(st.sampled_from([b"\n", b"\r", b"data: x", b"a", b"\r\n\r\n", b"\n\n\n"])), st.integers(1, 7))
@pytest.mark.parametrize("content_type", [SSE, LINES])
def test_a_body_is_cut_alike_however_it_arrives(content_type: str, words: list[bytes], size: int) -> None:
    """In single bytes, in one piece or in any other: the same events, so that recordings can be compared."""
    body = b"".join(words)
    chunks = [body[at : at + size] for at in range(0, len(body), size)]

    whole = list(split(content_type, [body]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events, "_BATCH", size)
        parted = list(split(content_type, chunks))

    assert b"".join(whole) == body
    assert parted == whole


def test_no_bytes_are_no_events() -> None:
    """An empty body replays as one."""
    assert _stored(JSON_TYPE, b"") == _stored(SSE, b"") == _stored(LINES, b"") == []


@pytest.mark.parametrize(
    ("block", "name", "data"),
    [
        (b"data: a\n\n", None, "a"),
        (b"event: e\ndata:a\n\n", "e", "a"),
        (b"data: a\r\ndata: b\r\n\r\n", None, "a\nb"),
        (b"data: a\revent: e\r\r", "e", "a"),
        (b"data\n\n", None, ""),
        (b": data: a\n\n", None, ""),
        (b"data:  a\n\n", None, " a"),
        (b"\xef\xbb\xbfdata: a\n\n", None, "a"),
        (b"event: e\nevent: f\ndata: a\n\n", "f", "a"),
        (b"database: x\nevents: y\ndata: a\n\n", None, "a"),
    ],
)
def test_name_and_data_of_an_event_are_read_by_the_standard(block: bytes, name: str | None, data: str) -> None:
    """By the rules of the WHATWG's HTML standard, 9.2.6: any end of line, at most one blank, the last name counts."""
    assert named(block) == (name, data)


_MALFORMED: dict[str, JSON] = {
    "null": None,
    "a number": 7,
    "text": "data: 1\n\n",
    "a list": [["text", "a"]],
    "nothing": {},
    "an unknown form": {"xml": "<a/>"},
    "only a name": {"event": "ping"},
    "text that is none": {"text": 7},
    "null for text": {"text": None},
    "text no UTF-8 can hold": {"text": "\ud800"},
    "base64 that is none": {"base64": "%%%"},
    "base64 cut short": {"base64": "QQ"},
    "base64 with other letters": {"base64": "éé=="},
    "base64 that is no text": {"base64": [65]},
    "an unknown style": {"json": {}, "style": "loose"},
    "a style that is no text": {"json": {}, "style": 2},
    "a style that is a list": {"json": {}, "style": ["compact"]},
    "a tail that is no text": {"json": {}, "tail": 0},
    "a pad that is no number": {"json": {}, "pad": " "},
    "a pad that is too long for any memory": {"json": {}, "pad": 10**13},
    "a pad past what a machine can count": {"json": {}, "pad": 10**30},
    "a pad below zero": {"json": {}, "pad": -1},
    "a name that is no text": {"event": 1, "data": {}},
    "a null name": {"event": None, "data": {}},
    "a lone surrogate in data": {"data": {"a": "\ud800"}},
    "NaN": {"json": [math.nan]},
    "infinity": {"data": {"a": -math.inf}},
}


@pytest.mark.parametrize("event", _MALFORMED.values(), ids=_MALFORMED.keys())
def test_an_event_of_no_known_form_is_refused(event: JSON) -> None:
    """By one error, so that a reader can say where it stands; what is before it is given."""
    rest: list[JSON] = [{"text": "before"}, event]
    chunks = restore(rest)

    assert next(chunks) == b"before"
    with pytest.raises(MalformedEvent):
        next(chunks)


_fields = st.sampled_from(["text", "base64", "data", "json", "event", "style", "tail", "other"])
_events = st.lists(VALUES | st.dictionaries(_fields, VALUES | st.sampled_from(["compact", "spaced-ascii", "QQ=="])))


@given(events=_events)
def test_any_json_in_place_of_events_gives_bytes_or_the_one_error(events: list[JSON]) -> None:
    """Hand-edited files hold anything."""
    try:
        assert isinstance(b"".join(restore(events)), bytes)
    except MalformedEvent:
        return


def test_bytes_that_are_no_text_are_stored_as_base64() -> None:
    """Audio and images."""
    body = bytes(range(256))

    assert _stored("audio/mpeg", body) == [{"base64": base64.b64encode(body).decode()}]
