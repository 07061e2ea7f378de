"""Responses, streamed: the whole response as the events that build it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.prose import fragments, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.jsontypes import JSONObject


def events(response: JSONObject) -> Iterator[tuple[str | None, object]]:
    """Yield the events, numbered; the name of each is also its ``type``."""
    for number, (name, fields) in enumerate(_sequence(response)):
        yield name, {"type": name, "sequence_number": number, **fields}


def _sequence(response: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    begun: JSONObject = {**response, "status": "in_progress", "output": [], "usage": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(response["output"]):
        where: JSONObject = {"item_id": item["id"], "output_index": index}
        empty: JSONObject = {"content": []} if item["type"] == "message" else {"arguments": ""}
        started = {**item, "status": "in_progress", **empty}
        yield "response.output_item.added", {"output_index": index, "item": started}
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
