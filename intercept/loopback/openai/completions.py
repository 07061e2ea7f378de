"""Text completions, the older endpoint, whole and streamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.openai.chat import usage
from intercept.loopback.openai.replies import reply, stream
from intercept.loopback.plan import Asked, plan
from intercept.loopback.prose import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def create(ask: Ask) -> Answer:
    """``POST /v1/completions``: one choice per prompt and ``n``."""
    given = ask.body.get("prompt")
    prompts = [as_text(prompt) for prompt in as_list(given)] or [as_text(given)]
    asked = [Asked(prompt) for prompt in prompts for _ in range(int(ask.body.get("n") or 1))]
    plans = [plan(one, str(ask.turn) if index == 0 else f"{ask.turn}.{index}") for index, one in enumerate(asked)]
    body: JSONObject = {
        "id": ask.mint.base62("cmpl-", 29),
        "object": "text_completion",
        "created": ask.mint.seconds,
        "model": ask.model,
        "choices": [_choice(index, said.text, "stop") for index, said in enumerate(plans)],
        "usage": usage(ask, plans),
    }
    return stream(ask, _events(ask, body)) if ask.body.get("stream") else reply(ask, body)


def _choice(index: int, text: str, reason: str | None) -> JSONObject:
    return {"text": text, "index": index, "logprobs": None, "finish_reason": reason}


def _events(ask: Ask, body: JSONObject) -> Iterator[tuple[str | None, object]]:
    for choice in body["choices"]:
        for word in words(choice["text"]):
            yield None, {**body, "choices": [_choice(choice["index"], word, None)], "usage": None}
        yield None, {**body, "choices": [_choice(choice["index"], "", "stop")], "usage": None}
    if as_object(ask.body.get("stream_options")).get("include_usage"):
        yield None, {**body, "choices": []}
    yield None, "[DONE]"
