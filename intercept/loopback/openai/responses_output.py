"""What a response holds: reasoning if asked for, then a message or calls of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai.asked import from_responses
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject
    from intercept.loopback.plan import Asked, Called, Plan


def items(ask: Ask, asked: Asked, said: Plan) -> list[JSONObject]:
    """Return the items of the output."""
    reasoning = [_reasoning(ask, asked)] if _thinks(ask) else []
    if said.calls:
        return [*reasoning, *(_call(ask, place, call) for place, call in enumerate(said.calls))]
    return [*reasoning, _message(ask, said.text)]


def thought_tokens(ask: Ask) -> int:
    """How many tokens the reasoning took."""
    return tokens(_thought(ask, from_responses(ask.body))) if _thinks(ask) else 0


def _thinks(ask: Ask) -> bool:
    return bool(as_object(ask.body.get("reasoning")))


def _thought(ask: Ask, asked: Asked) -> str:
    return f"Thought {ask.turn} about: {asked.prompt}"


def _reasoning(ask: Ask, asked: Asked) -> JSONObject:
    summary = {"type": "summary_text", "text": _thought(ask, asked)}
    item: JSONObject = {
        "id": ask.mint.hex("rs_", 50),
        "type": "reasoning",
        "summary": [summary] if as_object(ask.body["reasoning"]).get("summary") else [],
    }
    if "reasoning.encrypted_content" in as_list(ask.body.get("include")):
        item["encrypted_content"] = ask.mint.base62("gAAAAA", 200) + "=="
    return item


def _message(ask: Ask, text: str) -> JSONObject:
    part: JSONObject = {"type": "output_text", "annotations": [], "logprobs": [], "text": text}
    return {
        "id": ask.mint.hex("msg_", 50),
        "type": "message",
        "status": "completed",
        "content": [part],
        "role": "assistant",
    }


def _call(ask: Ask, place: int, call: Called) -> JSONObject:
    return {
        "id": ask.mint.hex("fc_", 50, part=place),
        "type": "function_call",
        "status": "completed",
        "arguments": call.arguments,
        "call_id": ask.mint.base62("call_", 24, part=place),
        "name": call.tool,
    }
