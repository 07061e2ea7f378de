"""Responses: created, streamed, worked on in the background, kept, read back, cancelled, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai import responses_stream
from intercept.loopback.openai.asked import from_responses
from intercept.loopback.openai.kept import listed
from intercept.loopback.openai.replies import reply, stream
from intercept.loopback.openai.responses_output import items, thought_tokens
from intercept.loopback.plan import Plan, plan
from intercept.loopback.prose import tokens
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

# What the API echoes of a request, and what it fills in when the request is silent.
_ECHOED: dict[str, object] = {
    "background": False,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "safety_identifier": None,
    "store": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}


def create(ask: Ask) -> Answer:
    """``POST /v1/responses``; in the background it is queued, and done after two looks."""
    asked = from_responses(ask.body)
    said = plan(asked, str(ask.turn))
    done: JSONObject = {"status": "completed", "output": items(ask, asked, said), "usage": _usage(ask, said)}
    body: JSONObject = {
        "id": ask.mint.hex("resp_", 50),
        "object": "response",
        "created_at": ask.mint.seconds,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": ask.model,
        "output": [],
        "reasoning": {"effort": None, "summary": None, **as_object(ask.body.get("reasoning"))},
        "service_tier": "default",
        "text": _text(ask),
        "tools": [_tool(as_object(tool)) for tool in as_list(ask.body.get("tools"))],
        "usage": None,
        **{name: ask.body.get(name, usual) for name, usual in _ECHOED.items()},
    }
    if ask.body.get("stream") or not body["background"]:
        body.update(done)
    else:
        body["status"] = "queued"
        progress.begin(ask.shelf, body, lambda: {"status": "in_progress"}, lambda: done)
    if body["store"]:
        ask.shelf.responses[body["id"]] = body
        ask.shelf.drawer(f"input of {body['id']}").update(_input(ask))
    return stream(ask, responses_stream.events(body)) if ask.body.get("stream") else reply(ask, body)


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/responses/{id}``, whole or as the stream that made it, from any event on."""
    if ask.option("stream") == "true":
        body = progress.finish(ask.shelf, _kept(ask))
        return stream(ask, responses_stream.events(body, after=int(ask.option("starting_after") or -1)))
    return reply(ask, progress.look(ask.shelf, _kept(ask)))


def cancel(ask: Ask) -> Answer:
    """``POST /v1/responses/{id}/cancel``."""
    return reply(ask, progress.stop(ask.shelf, _kept(ask), status="cancelled"))


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/responses/{id}``."""
    del ask.shelf.responses[_kept(ask)["id"]]
    return reply(ask, {"id": ask.name, "object": "response", "deleted": True})


def input_items(ask: Ask) -> Answer:
    """``GET /v1/responses/{id}/input_items``: what was asked, newest first."""
    return listed(ask, ask.shelf.drawer(f"input of {_kept(ask)['id']}").values())


def input_tokens(ask: Ask) -> Answer:
    """``POST /v1/responses/input_tokens``."""
    return reply(ask, {"object": "response.input_tokens", "input_tokens": _given(ask)})


def _kept(ask: Ask) -> JSONObject:
    if ask.name not in ask.shelf.responses:
        raise Refused(404, f"Response with id '{ask.name}' not found.")
    return ask.shelf.responses[ask.name]


def _input(ask: Ask) -> dict[str, JSONObject]:
    given = ask.body.get("input")
    asked = (
        [{"role": "user", "content": given}] if isinstance(given, str) else [as_object(one) for one in as_list(given)]
    )
    return {item["id"]: item for item in (_input_item(ask, place, one) for place, one in enumerate(asked))}


def _input_item(ask: Ask, place: int, item: JSONObject) -> JSONObject:
    """Return an item of the input as the API gives it back: with an id, and its text in parts."""
    name = ask.mint.hex("msg_", 50, part=100 + place)
    content = item.get("content")
    parts = [{"type": "input_text", "text": content}] if isinstance(content, str) else as_list(content)
    message = {"type": "message", "status": "completed", "content": parts} if "role" in item else {}
    return {"id": name, **item, **message}


def _text(ask: Ask) -> JSONObject:
    text = as_object(ask.body.get("text"))
    text_format: JSONObject = {"type": "text"}
    if text.get("format"):
        text_format = {"description": None, **text["format"]}
    return {"verbosity": "medium", **text, "format": text_format}


def _tool(tool: JSONObject) -> JSONObject:
    """Return a tool as the API gives it back: a function with every field."""
    usual = {"description": None, "parameters": None, "strict": True} if tool.get("type") == "function" else {}
    return {**usual, **tool}


def _given(ask: Ask) -> int:
    return tokens([ask.body.get("instructions"), ask.body.get("input")])


def _usage(ask: Ask, said: Plan) -> JSONObject:
    given, thought = _given(ask), thought_tokens(ask)
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": thought + said.tokens,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": given + thought + said.tokens,
    }
