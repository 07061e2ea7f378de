"""Bodies as events, and back to the very bytes: through a row, as a cassette holds it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intercept.answers import Array
from intercept.cassette import format as form
from intercept.cassette.format import Exchange
from intercept.cassette.rows import decode_row
from intercept.events import restore
from intercept.spi import JSON, Call
from tests.core.bodies import JSON_TYPE, LINES, SSE, as_stored
from tests.core.json_values import VALUES, nested_text

_CALL = Call("openai", "openai", "POST /x", "POST", "/x")


def _read_from_a_row(events: list[JSON]) -> Any:
    """Write a row with these events as recordings do, and read them from it as replays do."""
    array = Array()
    for event in events:
        array.add(event)
    line = b"".join(form.row(Exchange(_CALL, "0" * 64, 0, 200, (), array.end(), "complete")))
    return json.loads(bytes(decode_row("x.jsonl:2", line).events))


def _replayed(content_type: str, body: bytes) -> bytes:
    return b"".join(restore(_read_from_a_row(as_stored(content_type, body))))


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
