"""Chat completions, streamed: the whole completion cut into chunks."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_object
from intercept.loopback.prose import fragments, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def events(ask: Ask, completion: JSONObject) -> Iterator[tuple[str | None, object]]:
    """Yield the chunks of all choices in turns, then usage if asked for, then the end."""
    with_usage = bool(as_object(ask.body.get("stream_options")).get("include_usage"))
    shared = {
        "id": completion["id"],
        "object": "chat.completion.chunk",
        "created": completion["created"],
        "model": completion["model"],
        "service_tier": completion["service_tier"],
        "system_fingerprint": completion["system_fingerprint"],
    }
    if ask.azure:
        filtered = {"prompt_filter_results": completion["prompt_filter_results"]}
        yield None, {**shared, "id": "", "created": 0, "model": "", "choices": [], **filtered}
    pending = {"usage": None} if with_usage else {}
    for step in zip_longest(*(_steps(choice) for choice in completion["choices"])):
        for choice in step:
            if choice is not None:
                yield None, {**shared, "choices": [choice], **pending}
    if with_usage:
        yield None, {**shared, "choices": [], "usage": completion["usage"]}
    yield None, "[DONE]"


def _steps(choice: JSONObject) -> Iterator[JSONObject]:
    for delta in _deltas(choice["message"]):
        yield {"index": choice["index"], "delta": delta, "logprobs": None, "finish_reason": None}
    yield {"index": choice["index"], "delta": {}, "logprobs": None, "finish_reason": choice["finish_reason"]}


def _deltas(message: JSONObject) -> Iterator[JSONObject]:
    if "tool_calls" not in message:
        yield {"role": "assistant", "content": "", "refusal": None}
        for word in words(message["content"]):
            yield {"content": word}
        return
    for index, call in enumerate(message["tool_calls"]):
        function = {"name": call["function"]["name"], "arguments": ""}
        opening = {"index": index, "id": call["id"], "type": "function", "function": function}
        role = {} if index else {"role": "assistant", "content": None, "refusal": None}
        yield {**role, "tool_calls": [opening]}
    # The fragments of several calls come in turns, as a reader must be ready for.
    for turn in zip_longest(*(fragments(call["function"]["arguments"]) for call in message["tool_calls"])):
        for index, fragment in enumerate(turn):
            if fragment is not None:
                yield {"tool_calls": [{"index": index, "function": {"arguments": fragment}}]}
