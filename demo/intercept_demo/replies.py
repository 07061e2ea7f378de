"""What the stand-in says to the agent, in the providers' wire shape."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from intercept.loopback import Answer
from intercept_demo.pace import BEFORE_A_COMPLETION

if TYPE_CHECKING:
    from collections.abc import Iterator

CREATED = 1_760_000_000
JSON = dict[str, Any]


def chat(number: int, model: str, message: JSON, *, tokens: tuple[int, int]) -> Answer:
    """OpenAI's `chat.completion`; `tokens` are those of prompt and answer."""
    prompt, written = tokens
    body: JSON = {
        "id": f"chatcmpl-demo{number}",
        "object": "chat.completion",
        "created": CREATED + number,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, "refusal": None, "annotations": [], **message},
                "logprobs": None,
                "finish_reason": "tool_calls" if "tool_calls" in message else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": written,
            "total_tokens": prompt + written,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": "fp_demo",
    }
    return Answer(200, body, (("x-request-id", f"req_demo{number}"),), delay=BEFORE_A_COMPLETION)


def tool_call(name: str, arguments: JSON) -> JSON:
    """Return the message of a model that calls one tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": f"call_demo_{name}", "type": "function", "function": function}]}


def messages_stream(model: str, text: str, *, tokens: tuple[int, int]) -> Answer:
    """Anthropic's stream of one message, a delta for each word."""
    events = ((name, {"type": name, **fields}) for name, fields in _events(model, text, tokens))
    return Answer.sse(events, headers=(("request-id", "req_demo_stream"),))


def _events(model: str, text: str, tokens: tuple[int, int]) -> Iterator[tuple[str, JSON]]:
    prompt, written = tokens
    usage = {"input_tokens": prompt, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message: JSON = {
        "id": "msg_demo",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": 1, "service_tier": "standard"},
    }
    yield "message_start", {"message": message}
    yield "content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}
    yield "ping", {}
    for word in re.findall(r"\S+\s*", text):
        yield "content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": word}}
    yield "content_block_stop", {"index": 0}
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    yield "message_delta", {"delta": delta, "usage": {**usage, "output_tokens": written}}
    yield "message_stop", {}
