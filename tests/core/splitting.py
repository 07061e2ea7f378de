"""Streams of both providers, with their texts cut into deltas as a test wants them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from intercept.spi import JSON, Piece
from intercept_anthropic.pieces import pieces as anthropic_pieces
from intercept_openai.pieces import pieces as openai_pieces


@dataclass(frozen=True)
class Stream:
    """How one text is streamed: the event of a delta, how to read it back, and the events that repeat it whole."""

    delta: Callable[[str, int], dict[str, Any]]
    read: Callable[[dict[str, Any]], str | None]
    whole: Callable[[str], list[dict[str, Any]]]
    pieces: Callable[[Mapping[str, JSON]], Iterable[Piece]]


def sse(events: Iterable[dict[str, Any]]) -> bytes:
    """Write events as a body, as the providers do."""
    return b"".join(
        (f"event: {event['type']}\n" if "type" in event else "").encode()
        + f"data: {json.dumps(event, separators=(',', ':'), ensure_ascii=False)}\n\n".encode("utf-8", "surrogatepass")
        for event in events
    )


def _chat(path: Callable[[str, int], dict[str, Any]], read: Callable[[dict[str, Any]], Any]) -> Stream:
    def delta(text: str, channel: int) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "choices": [{"index": channel, "delta": path(text, channel), "finish_reason": None}],
        }

    return Stream(delta, lambda event: read(event["choices"][0]["delta"]), lambda _: [], openai_pieces)


def _typed(kind: str, done: str, name: str, inside: Callable[[str], dict[str, Any]]) -> Stream:
    def delta(text: str, channel: int) -> dict[str, Any]:
        place = {"item_id": f"it_{channel}", "output_index": channel, "content_index": 0, "summary_index": 0}
        return {"type": kind, "delta": text, **place, "sequence_number": 1}

    def whole(text: str) -> list[dict[str, Any]]:
        return [
            {"type": done, "item_id": "it_0", name: text},
            {"type": "response.output_item.done", "item": inside(text)},
            {"type": "response.completed", "response": {"output": [inside(text)]}},
        ]

    return Stream(delta, lambda event: event["delta"] if event["type"] == kind else None, whole, openai_pieces)


def _block(kind: str, name: str) -> Stream:
    def delta(text: str, channel: int) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": channel, "delta": {"type": kind, name: text}}

    return Stream(delta, lambda event: event["delta"][name], lambda _: [], anthropic_pieces)


def _call(text: str, channel: int) -> dict[str, Any]:
    return {"tool_calls": [{"index": channel, "function": {"arguments": text}}]}


STREAMS: Final[Mapping[str, Stream]] = {
    "chat content": _chat(lambda text, _: {"content": text}, lambda delta: delta["content"]),
    "chat refusal": _chat(lambda text, _: {"refusal": text}, lambda delta: delta["refusal"]),
    "chat reasoning": _chat(lambda text, _: {"reasoning_content": text}, lambda delta: delta["reasoning_content"]),
    "chat tool arguments": _chat(_call, lambda delta: delta["tool_calls"][0]["function"]["arguments"]),
    "responses text": _typed(
        "response.output_text.delta", "response.output_text.done", "text",
        lambda text: {"type": "message", "content": [{"type": "output_text", "text": text}]},
    ),
    "responses arguments": _typed(
        "response.function_call_arguments.delta", "response.function_call_arguments.done", "arguments",
        lambda text: {"type": "function_call", "arguments": text},
    ),
    "responses reasoning summary": _typed(
        "response.reasoning_summary_text.delta", "response.reasoning_summary_text.done", "text",
        lambda text: {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}]},
    ),
    "responses refusal": _typed(
        "response.refusal.delta", "response.refusal.done", "refusal",
        lambda text: {"type": "message", "content": [{"type": "refusal", "refusal": text}]},
    ),
    "messages text": _block("text_delta", "text"),
    "messages thinking": _block("thinking_delta", "thinking"),
    "messages tool input": _block("input_json_delta", "partial_json"),
}  # fmt: skip
