"""Messages, streamed: the whole message as the events that build it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import compact
from intercept.loopback.prose import fragments, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.jsontypes import JSONObject

# What a block holds before its first delta.
_EMPTY: dict[str, JSONObject] = {
    "text": {"text": ""},
    "thinking": {"thinking": "", "signature": ""},
    "tool_use": {"input": {}},
}


def events(message: JSONObject) -> Iterator[tuple[str | None, object]]:
    """Yield the events; the name of each is also its ``type``."""
    for name, fields in _sequence(message):
        yield name, {"type": name, **fields}


def _sequence(message: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    usage: JSONObject = message["usage"]
    begun: JSONObject = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"message": begun}
    for index, block in enumerate(message["content"]):
        yield "content_block_start", {"index": index, "content_block": {**block, **_EMPTY[block["type"]]}}
        if index == 0:
            yield "ping", {}
        for delta in _deltas(block):
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ended = {name: count for name, count in usage.items() if name.endswith("_tokens")}
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    yield "message_delta", {"delta": delta, "usage": ended}
    yield "message_stop", {}


def _deltas(block: JSONObject) -> Iterator[JSONObject]:
    if block["type"] == "text":
        for word in words(block["text"]):
            yield {"type": "text_delta", "text": word}
    elif block["type"] == "thinking":
        for word in words(block["thinking"]):
            yield {"type": "thinking_delta", "thinking": word}
        yield {"type": "signature_delta", "signature": block["signature"]}
    else:
        for fragment in ("", *fragments(compact(block["input"]))):
            yield {"type": "input_json_delta", "partial_json": fragment}
