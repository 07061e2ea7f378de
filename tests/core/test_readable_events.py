"""Bodies cut into events, and events as people read them: parsed, however they were written."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept import events
from intercept.events import named, restore, split, store
from intercept.spi import JSON
from tests.core.bodies import JSON_TYPE, LINES, SSE, as_stored


def _carried(content_type: str, blocks: list[bytes]) -> list[dict[str, JSON] | None]:
    return [event.carried for event in store(content_type, blocks)]


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
    stored = as_stored(content_type, body)

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
    stored = as_stored(SSE, _PADDED)

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
    assert as_stored(JSON_TYPE, b"") == as_stored(SSE, b"") == as_stored(LINES, b"") == []


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


def test_bytes_that_are_no_text_are_stored_as_base64() -> None:
    """Audio and images."""
    body = bytes(range(256))

    assert as_stored("audio/mpeg", body) == [{"base64": base64.b64encode(body).decode()}]
