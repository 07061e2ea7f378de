"""Chat completions, whole; Azure's with its content filter results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai import chat_stored, chat_stream
from intercept.loopback.openai.asked import from_chat
from intercept.loopback.openai.replies import reply, stream
from intercept.loopback.plan import Plan, plan
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}


def create(ask: Ask) -> Answer:
    """``POST /v1/chat/completions``."""
    asked = from_chat(ask.body)
    count = int(ask.body.get("n") or 1)
    plans = [plan(asked, str(ask.turn) if index == 0 else f"{ask.turn}.{index}") for index in range(count)]
    body: JSONObject = {
        "id": ask.mint.base62("chatcmpl-", 29),
        "object": "chat.completion",
        "created": ask.mint.seconds,
        "model": ask.model,
        "choices": [_choice(ask, index, said) for index, said in enumerate(plans)],
        "usage": usage(ask, plans),
        "service_tier": "default",
        "system_fingerprint": "fp_loopback",
    }
    if ask.azure:
        body["prompt_filter_results"] = [{"prompt_index": 0, "content_filter_results": _SAFE}]
    if ask.body.get("store"):
        chat_stored.store(ask, body)
    return stream(ask, chat_stream.events(ask, body)) if ask.body.get("stream") else reply(ask, body)


def usage(ask: Ask, plans: list[Plan]) -> JSONObject:
    """Tokens in and out."""
    prompt = tokens([ask.body.get("messages"), ask.body.get("prompt")])
    completion = sum(said.tokens for said in plans)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _choice(ask: Ask, index: int, said: Plan) -> JSONObject:
    message: JSONObject = {"role": "assistant", "content": said.text, "refusal": None, "annotations": []}
    if said.calls:
        calls = [
            {
                "id": ask.mint.base62("call_", 24, part=index + 100 * place),
                "type": "function",
                "function": {"name": call.tool, "arguments": call.arguments},
            }
            for place, call in enumerate(said.calls)
        ]
        message |= {"content": None, "tool_calls": calls}
    choice: JSONObject = {
        "index": index,
        "message": message,
        "logprobs": None,
        "finish_reason": "tool_calls" if said.calls else "stop",
    }
    if ask.azure:
        choice["content_filter_results"] = _SAFE
    return choice
