"""Plain answers of either provider."""

from __future__ import annotations

from intercept.loopback import Answer
from tests.conformance.callers import Caller


def saying(caller: Caller, text: str) -> Answer:
    """Answer the plain question with a text."""
    if caller.sdk == "openai":
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return Answer(
            body={"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        )
    usage = {"input_tokens": 1, "output_tokens": 1}
    return Answer(
        body={
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}],
            "stop_sequence": None,
            "usage": usage,
        }
    )
