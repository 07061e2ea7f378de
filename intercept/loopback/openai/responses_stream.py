"""Responses, streamed: the whole response as the events that build it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.prose import fragments, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.jsontypes import JSONObject

# What an item holds when it is added, by its type.
_EMPTY: dict[str, JSONObject] = {
    "message": {"status": "in_progress", "content": []},
    "function_call": {"status": "in_progress", "arguments": ""},
    "reasoning": {"summary": []},
}


def events(response: JSONObject, *, after: int = -1) -> Iterator[tuple[str | None, object]]:
    """Yield the events that follow number ``after``, numbered; the name of each is also its ``type``."""
    for number, (name, fields) in enumerate(_sequence(response)):
        if number > after:
            yield name, {"type": name, "sequence_number": number, **fields}


def _sequence(response: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    begun: JSONObject = {**response, "status": "in_progress", "output": [], "usage": None}
    if response["background"]:
        yield "response.created", {"response": {**begun, "status": "queued"}}
        yield "response.queued", {"response": {**begun, "status": "queued"}}
    else:
        yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response["output"]):
        where: JSONObject = {"item_id": item["id"], "output_index": index}
        yield "response.output_item.added", {"output_index": index, "item": {**item, **_EMPTY[item["type"]]}}
        if item["type"] == "reasoning":
            yield from _reasoning(item, where)
        else:
            yield from _message(item, where) if item["type"] == "message" else _call(item, where)
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.completed", {"response": response}


def _message(item: JSONObject, where: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    for index, part in enumerate(item["content"]):
        here: JSONObject = {**where, "content_index": index}
        yield "response.content_part.added", {**here, "part": {**part, "text": ""}}
        for word in words(part["text"]):
            yield "response.output_text.delta", {**here, "delta": word, "logprobs": []}
        yield "response.output_text.done", {**here, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {**here, "part": part}


def _call(item: JSONObject, where: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    for fragment in fragments(item["arguments"]):
        yield "response.function_call_arguments.delta", {**where, "delta": fragment}
    yield "response.function_call_arguments.done", {**where, "name": item["name"], "arguments": item["arguments"]}


def _reasoning(item: JSONObject, where: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    for index, part in enumerate(item["summary"]):
        here: JSONObject = {**where, "summary_index": index}
        yield "response.reasoning_summary_part.added", {**here, "part": {**part, "text": ""}}
        for word in words(part["text"]):
            yield "response.reasoning_summary_text.delta", {**here, "delta": word}
        yield "response.reasoning_summary_text.done", {**here, "text": part["text"]}
        yield "response.reasoning_summary_part.done", {**here, "part": part}
