"""Runs of an assistant on a thread: queued, in progress, then done, or waiting for the results of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback import progress
from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.openai import run_stream, threads
from intercept.loopback.openai.assistants import assistant_of
from intercept.loopback.openai.kept import found, keep, listed, updated
from intercept.loopback.openai.replies import polled, reply, stream
from intercept.loopback.openai.run_work import work

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_MINUTES = 600
# What a run takes over from its request, else from its assistant.
_TAKEN = ("model", "instructions", "tools", "temperature", "top_p", "response_format")


def create(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/runs``."""
    thread = threads.thread_of(ask)
    for place, message in enumerate(as_list(ask.body.get("additional_messages"))):
        threads.said(ask, thread["id"], as_object(message), place)
    return _go(ask, _run(ask, thread["id"]))


def create_with_thread(ask: Ask) -> Answer:
    """``POST /v1/threads/runs``."""
    thread = threads.begun(ask, as_object(ask.body.get("thread")))
    return _go(ask, _run(ask, thread["id"]), begun=thread)


def listing(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/runs``."""
    return listed(ask, ask.shelf.drawer(_drawer(threads.thread_of(ask)["id"])).values())


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/runs/{id}``."""
    return polled(ask, progress.look(ask.shelf, _kept(ask)))


def update(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/runs/{id}``."""
    return updated(ask, _kept(ask), "metadata")


def cancel(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/runs/{id}/cancel``; it takes one more look."""
    run = progress.stop(ask.shelf, _kept(ask), status="cancelling", required_action=None)
    progress.begin(ask.shelf, run, lambda: {"status": "cancelled", "cancelled_at": ask.mint.seconds})
    return reply(ask, run)


def submit(ask: Ask) -> Answer:
    """``POST /v1/threads/{id}/runs/{id}/submit_tool_outputs``."""
    run = _kept(ask)
    outputs = {one["tool_call_id"]: one.get("output") for one in map(as_object, as_list(ask.body.get("tool_outputs")))}
    for step in ask.shelf.drawer(f"steps of {run['id']}").values():
        for call in as_list(step["step_details"].get("tool_calls")):
            call["function"]["output"] = outputs.get(call["id"], call["function"]["output"])
        step.update(status="completed", completed_at=ask.mint.seconds)
    run.update(status="queued", required_action=None)
    return _go(ask, run, told=" ".join(as_text(output) for output in outputs.values()))


def list_steps(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/runs/{id}/steps``."""
    return listed(ask, ask.shelf.drawer(f"steps of {_kept(ask)['id']}").values())


def retrieve_step(ask: Ask) -> Answer:
    """``GET /v1/threads/{id}/runs/{id}/steps/{id}``."""
    return reply(ask, found(ask, f"steps of {_kept(ask)['id']}", "run step", ask.names[2]))


def _go(ask: Ask, run: JSONObject, *, begun: JSONObject | None = None, told: str | None = None) -> Answer:
    """Let the run do its work: at once if it is streamed, else at the second look."""
    if ask.body.get("stream"):
        return stream(ask, run_stream.events(run, work(ask, run, told), begun=begun, again=told is not None))
    started = {"status": "in_progress", "started_at": ask.mint.seconds}
    progress.begin(ask.shelf, run, lambda: started, lambda: work(ask, run, told).outcome)
    return reply(ask, run)


def _run(ask: Ask, thread: str) -> JSONObject:
    assistant = assistant_of(ask, as_text(ask.body.get("assistant_id")))
    run: JSONObject = {
        "id": ask.mint.base62("run_", 24),
        "object": "thread.run",
        "created_at": ask.mint.seconds,
        "assistant_id": assistant["id"],
        "thread_id": thread,
        "status": "queued",
        "started_at": None,
        "expires_at": ask.mint.seconds + _MINUTES,
        "cancelled_at": None,
        "failed_at": None,
        "completed_at": None,
        "required_action": None,
        "last_error": None,
        **{name: assistant[name] if ask.body.get(name) is None else ask.body[name] for name in _TAKEN},
        "tool_resources": {},
        "metadata": ask.body.get("metadata") or {},
        "max_completion_tokens": ask.body.get("max_completion_tokens"),
        "max_prompt_tokens": ask.body.get("max_prompt_tokens"),
        "truncation_strategy": ask.body.get("truncation_strategy") or {"type": "auto", "last_messages": None},
        "incomplete_details": None,
        "usage": None,
        "tool_choice": ask.body.get("tool_choice") or "auto",
        "parallel_tool_calls": ask.body.get("parallel_tool_calls") is not False,
    }
    run["instructions"] = run["instructions"] or ""
    return keep(ask, _drawer(thread), run)


def _kept(ask: Ask) -> JSONObject:
    return found(ask, _drawer(threads.thread_of(ask)["id"]), "run", ask.names[1])


def _drawer(thread: str) -> str:
    return f"runs of {thread}"
