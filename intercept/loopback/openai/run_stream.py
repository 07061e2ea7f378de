"""Runs, streamed: the events by which thread, run, step and message come to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.prose import fragments, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.jsontypes import JSONObject
    from intercept.loopback.openai.run_work import Work

Event = tuple["str | None", object]


def events(run: JSONObject, work: Work, *, begun: JSONObject | None, again: bool) -> Iterator[Event]:
    """Yield the events: from the thread on if one was ``begun``, from the queue on if the run goes ``again``."""
    if begun is not None:
        yield "thread.created", begun
    if not again:
        yield "thread.run.created", {**run}
    yield "thread.run.queued", {**run}
    run["status"] = "in_progress"
    yield "thread.run.in_progress", {**run}
    yield from _message(work) if work.message is not None else _calls(work)
    run.update(work.outcome)
    yield f"thread.run.{run['status']}", {**run}
    yield "done", "[DONE]"


def _message(work: Work) -> Iterator[Event]:
    message, open_step = work.message or {}, {"status": "in_progress", "completed_at": None, "usage": None}
    yield "thread.run.step.created", {**work.step, **open_step}
    yield "thread.run.step.in_progress", {**work.step, **open_step}
    begun: JSONObject = {**message, "status": "in_progress", "content": [], "completed_at": None}
    yield "thread.message.created", begun
    yield "thread.message.in_progress", begun
    for index, part in enumerate(message["content"]):
        for word in words(part["text"]["value"]):
            text = {"index": index, "type": "text", "text": {"value": word}}
            yield "thread.message.delta", _delta(message, {"content": [text]})
    yield "thread.message.completed", message
    yield "thread.run.step.completed", work.step


def _calls(work: Work) -> Iterator[Event]:
    details = work.step["step_details"]
    begun: JSONObject = {**work.step, "step_details": {**details, "tool_calls": []}}
    yield "thread.run.step.created", begun
    yield "thread.run.step.in_progress", begun
    for index, call in enumerate(details["tool_calls"]):
        yield _called(work, {**call, "index": index, "function": {**call["function"], "arguments": ""}})
        for fragment in fragments(call["function"]["arguments"]):
            yield _called(work, {"index": index, "type": "function", "function": {"arguments": fragment}})


def _called(work: Work, call: JSONObject) -> Event:
    return "thread.run.step.delta", _delta(work.step, {"step_details": {"type": "tool_calls", "tool_calls": [call]}})


def _delta(thing: JSONObject, delta: JSONObject) -> JSONObject:
    return {"id": thing["id"], "object": f"{thing['object']}.delta", "delta": delta}
