"""Responses: created, streamed, kept, read back, cancelled, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object
from intercept.loopback.openai import responses_stream
from intercept.loopback.openai.asked import from_responses
from intercept.loopback.openai.replies import reply, stream
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
    """``POST /v1/responses``."""
    said = plan(from_responses(ask.body), str(ask.turn))
    body: JSONObject = {
        "id": ask.mint.hex("resp_", 50),
        "object": "response",
        "created_at": ask.mint.seconds,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": ask.model,
        "output": [_item(ask, said)],
        "reasoning": {"effort": None, "summary": None, **as_object(ask.body.get("reasoning"))},
        "service_tier": "default",
        "text": _text(ask),
        "tools": [_tool(as_object(tool)) for tool in as_list(ask.body.get("tools"))],
        "usage": _usage(ask, said),
        **{name: ask.body.get(name, usual) for name, usual in _ECHOED.items()},
    }
    if body["store"]:
        ask.shelf.responses[body["id"]] = body
    return stream(ask, responses_stream.events(body)) if ask.body.get("stream") else reply(ask, body)


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/responses/{id}``."""
    return reply(ask, _kept(ask))


def cancel(ask: Ask) -> Answer:
    """``POST /v1/responses/{id}/cancel``."""
    ask.shelf.responses[ask.name] = {**_kept(ask), "status": "cancelled"}
    return retrieve(ask)


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/responses/{id}``."""
    del ask.shelf.responses[_kept(ask)["id"]]
    return reply(ask, {"id": ask.name, "object": "response", "deleted": True})


def _kept(ask: Ask) -> JSONObject:
    if ask.name not in ask.shelf.responses:
        raise Refused(404, f"Response with id '{ask.name}' not found.")
    return ask.shelf.responses[ask.name]


def _item(ask: Ask, said: Plan) -> JSONObject:
    if said.tool is None:
        part: JSONObject = {"type": "output_text", "annotations": [], "logprobs": [], "text": said.text}
        return {
            "id": ask.mint.hex("msg_", 50),
            "type": "message",
            "status": "completed",
            "content": [part],
            "role": "assistant",
        }
    return {
        "id": ask.mint.hex("fc_", 50),
        "type": "function_call",
        "status": "completed",
        "arguments": said.arguments,
        "call_id": ask.mint.base62("call_", 24),
        "name": said.tool,
    }


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


def _usage(ask: Ask, said: Plan) -> JSONObject:
    given, made = tokens([ask.body.get("instructions"), ask.body.get("input")]), tokens(said.text or said.arguments)
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + made,
    }
