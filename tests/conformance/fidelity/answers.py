"""Answers of either SDK's plain question, made by hand: any field, any writing."""

from __future__ import annotations

import json
from typing import Any

from intercept.loopback import Answer
from tests.conformance.callers import Caller


def body(caller: Caller, **fields: Any) -> dict[str, Any]:
    """Return the body of a plain answer, with fields of one's own."""
    if caller.sdk == "openai":
        message = {"role": "assistant", "content": "hello"}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-4o",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            **fields,
        }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test",
        "content": [{"type": "text", "text": "hello"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        **fields,
    }


def answer(caller: Caller, *headers: tuple[str, str], **fields: Any) -> Answer:
    """Return a plain answer with headers and fields of one's own."""
    return Answer(200, body(caller, **fields), headers)


def written(text: str) -> Answer:
    """Return an answer that is this text, as JSON."""
    json.loads(text)
    return Answer(200, text.encode(), content_type="application/json")
