"""Messages: a thinking block if asked for, then a text or a tool use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from intercept.loopback.anthropic import messages_stream
from intercept.loopback.anthropic.asked import from_messages
from intercept.loopback.anthropic.replies import reply, stream
from intercept.loopback.jsontypes import as_object
from intercept.loopback.plan import Plan, plan
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def create(ask: Ask) -> Answer:
    """``POST /v1/messages``."""
    asked = from_messages(ask.body)
    said = plan(asked, str(ask.turn))
    content = [*_thinking(ask, asked.prompt), *_blocks(ask, said)]
    message: JSONObject = {
        "id": ask.mint.base62("msg_01", 22),
        "type": "message",
        "role": "assistant",
        "model": ask.model,
        "content": content,
        "stop_reason": "tool_use" if said.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": _given(ask),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": tokens(content),
            "service_tier": "standard",
        },
    }
    return stream(ask, messages_stream.events(message)) if ask.body.get("stream") else reply(ask, message)


def count_tokens(ask: Ask) -> Answer:
    """``POST /v1/messages/count_tokens``."""
    return reply(ask, {"input_tokens": _given(ask)})


def _given(ask: Ask) -> int:
    return tokens([ask.body.get("system"), ask.body.get("messages"), ask.body.get("tools")])


def _thinking(ask: Ask, prompt: str) -> list[JSONObject]:
    if as_object(ask.body.get("thinking")).get("type") not in {"enabled", "adaptive"}:
        return []
    thought = f"Thought {ask.turn} about: {prompt}"
    return [{"type": "thinking", "thinking": thought, "signature": ask.mint.base62("EqQB", 120) + "=="}]


def _blocks(ask: Ask, said: Plan) -> list[JSONObject]:
    if not said.calls:
        return [{"type": "text", "text": said.text}]
    return [
        {
            "type": "tool_use",
            "id": ask.mint.base62("toolu_01", 22, part=place),
            "name": call.tool,
            "input": json.loads(call.arguments),
        }
        for place, call in enumerate(said.calls)
    ]
