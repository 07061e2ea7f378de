"""What a run does: it says something, or asks for the results of tools; a step tells of either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.openai import threads
from intercept.loopback.openai.kept import keep
from intercept.loopback.plan import Asked, Called, Tool, plan
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


@dataclass(frozen=True, slots=True)
class Work:
    """The step that was made, the message it said if it did, and what becomes of the run."""

    step: JSONObject
    message: JSONObject | None
    outcome: JSONObject


def work(ask: Ask, run: JSONObject, told: str | None) -> Work:
    """Do the work; ``told`` is what the tools said, once they did."""
    spoken = threads.messages(ask, run["thread_id"])
    users = [message for message in spoken if message["role"] == "user"]
    parts = [as_object(part) for part in as_list(users[-1]["content"])] if users else []
    prompt = " ".join(as_text(as_object(part.get("text")).get("value")) for part in parts)
    said = plan(Asked(prompt, told, _tools(run)), str(ask.turn))
    given = tokens(prompt)
    usage = {"prompt_tokens": given, "completion_tokens": said.tokens, "total_tokens": given + said.tokens}
    if said.calls:
        calls = [_call(ask, place, call) for place, call in enumerate(said.calls)]
        details: JSONObject = {"type": "tool_calls", "tool_calls": calls}
        step = _step(ask, run, details, {"status": "in_progress", "completed_at": None, "usage": None})
        return Work(step, None, {"status": "requires_action", "required_action": _required(calls)})
    message = threads.said(ask, run["thread_id"], {"role": "assistant", "content": said.text}, 50, run)
    details = {"type": "message_creation", "message_creation": {"message_id": message["id"]}}
    step = _step(ask, run, details, {"status": "completed", "completed_at": ask.mint.seconds, "usage": usage})
    return Work(step, message, {"status": "completed", "completed_at": ask.mint.seconds, "usage": usage})


def _tools(run: JSONObject) -> list[Tool]:
    functions = [as_object(as_object(tool).get("function")) for tool in as_list(run["tools"])]
    return [Tool(as_text(one["name"]), as_object(one.get("parameters"))) for one in functions if one]


def _call(ask: Ask, place: int, call: Called) -> JSONObject:
    function = {"name": call.tool, "arguments": call.arguments, "output": None}
    return {"id": ask.mint.base62("call_", 24, part=place), "type": "function", "function": function}


def _required(calls: list[JSONObject]) -> JSONObject:
    asked = [{**call, "function": {name: call["function"][name] for name in ("name", "arguments")}} for call in calls]
    return {"type": "submit_tool_outputs", "submit_tool_outputs": {"tool_calls": asked}}


def _step(ask: Ask, run: JSONObject, details: JSONObject, state: JSONObject) -> JSONObject:
    step: JSONObject = {
        "id": ask.mint.base62("step_", 24),
        "object": "thread.run.step",
        "created_at": ask.mint.seconds,
        "run_id": run["id"],
        "assistant_id": run["assistant_id"],
        "thread_id": run["thread_id"],
        "type": details["type"],
        "cancelled_at": None,
        "expired_at": None,
        "failed_at": None,
        "last_error": None,
        "metadata": {},
        "step_details": details,
        **state,
    }
    return keep(ask, f"steps of {run['id']}", step)
