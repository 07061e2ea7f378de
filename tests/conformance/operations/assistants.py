"""Assistants, their threads and runs: polled, streamed, and with tools. The SDK warns of all of it."""

from __future__ import annotations

from typing import Any

import openai

from tests.conformance.callers import each, entered, settled
from tests.conformance.operations.questions import CHAT_TOOL
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import DEPRECATED, operation
from tests.conformance.operations.views import Asked, asked, viewed

HELLO: list[Any] = [{"role": "user", "content": "What is it?"}]


async def _assistant(client: Any, **options: Any) -> str:
    made = await settled(client.beta.assistants.create(model="gpt-4o", name="mine", **options))
    return str(made.id)


async def _begun(client: Any, **options: Any) -> dict[str, str]:
    thread = await settled(client.beta.threads.create(messages=HELLO))
    return {"thread_id": thread.id, "assistant_id": await _assistant(client, **options)}


def _outputs(run: Any) -> list[dict[str, str]]:
    calls = run.required_action.submit_tool_outputs.tool_calls
    return [{"tool_call_id": call.id, "output": "sunny"} for call in calls]


def _listener(client: Any) -> Any:
    """Return an event handler of the client's kind that notes all it hears."""
    heard: list[Any] = []

    def hear(name: str) -> Any:
        def at_once(_self: Any, *values: Any) -> None:
            heard.append([name, *(value.model_dump() for value in values)])

        async def awaited(self: Any, *values: Any) -> None:
            at_once(self, *values)

        return awaited if isinstance(client, openai.AsyncOpenAI) else at_once

    names = (
        "event",
        "text_created",
        "text_delta",
        "text_done",
        "message_done",
        "run_step_done",
        "tool_call_delta",
        "end",
    )
    base = openai.AsyncAssistantEventHandler if isinstance(client, openai.AsyncOpenAI) else openai.AssistantEventHandler
    made: Any = type("Listener", (base,), {"heard": heard, **{f"on_{name}": hear(name) for name in names}})
    return made()


@viewed("openai", DEPRECATED)
async def assistants_create(_client: Any) -> Asked:
    return asked("beta.assistants.create", model="gpt-4o", tools=[CHAT_TOOL], instructions="Be brief.")


@viewed("openai", DEPRECATED, pages=True)
async def assistants_list(client: Any) -> Asked:
    for _ in range(3):
        await _assistant(client)
    return asked("beta.assistants.list", limit=2)


@operation("openai", DEPRECATED)
async def assistants_changed(client: Any) -> Any:
    name = await _assistant(client)
    return [
        await settled(client.beta.assistants.retrieve(name)),
        await settled(client.beta.assistants.update(name, name="yours")),
        await settled(client.beta.assistants.delete(name)),
    ]


@operation("openai", DEPRECATED)
async def threads(client: Any) -> Any:
    thread = await settled(client.beta.threads.create(messages=HELLO, metadata={"of": "mine"}))
    of = client.beta.threads.messages
    said = await settled(of.create(thread.id, role="user", content=[{"type": "text", "text": "Hm?"}]))
    return [
        thread,
        said,
        await settled(of.retrieve(said.id, thread_id=thread.id)),
        await settled(of.update(said.id, thread_id=thread.id, metadata={"of": "mine"})),
        await each(of.list(thread.id, limit=1)),
        await settled(of.delete(said.id, thread_id=thread.id)),
        await settled(client.beta.threads.retrieve(thread.id)),
        await settled(client.beta.threads.update(thread.id, metadata={"of": "yours"})),
        await settled(client.beta.threads.delete(thread.id)),
    ]


@viewed("openai", DEPRECATED, pages=True)
async def threads_messages(client: Any) -> Asked:
    thread = await settled(client.beta.threads.create(messages=HELLO * 3))
    return asked("beta.threads.messages.list", thread.id, limit=2, order="asc")


@viewed("openai", DEPRECATED, streams=True)
async def runs(client: Any) -> Asked:
    return asked("beta.threads.runs.create", **await _begun(client))


@viewed("openai", DEPRECATED, streams=True)
async def runs_with_thread(client: Any) -> Asked:
    return asked("beta.threads.create_and_run", assistant_id=await _assistant(client), thread={"messages": HELLO})


@operation("openai", DEPRECATED)
async def runs_polled(client: Any) -> Any:
    begun = await _begun(client)
    of = client.beta.threads.runs
    run = await settled(of.create_and_poll(**begun))
    both = await settled(
        client.beta.threads.create_and_run_poll(assistant_id=begun["assistant_id"], thread={"messages": HELLO})
    )
    assert [run.status, both.status] == ["completed", "completed"]
    steps = await each(of.steps.list(run.id, thread_id=run.thread_id))
    return [
        run,
        both,
        steps,
        await settled(of.steps.retrieve(steps[0].id, run_id=run.id, thread_id=run.thread_id)),
        await each(client.beta.threads.messages.list(run.thread_id, run_id=run.id)),
        await settled(of.retrieve(run.id, thread_id=run.thread_id)),
        await settled(of.update(run.id, thread_id=run.thread_id, metadata={"of": "mine"})),
        await each(of.list(run.thread_id)),
    ]


@operation("openai", DEPRECATED)
async def runs_with_tools(client: Any) -> Any:
    of = client.beta.threads.runs
    run = await settled(of.create_and_poll(**await _begun(client, tools=[CHAT_TOOL])))
    assert run.status == "requires_action"
    told = of.submit_tool_outputs_and_poll(run_id=run.id, thread_id=run.thread_id, tool_outputs=_outputs(run))
    done = await settled(told)
    assert done.status == "completed"
    return [run, done, await each(of.steps.list(run.id, thread_id=run.thread_id, order="asc"))]


@operation("openai", DEPRECATED)
async def runs_cancelled(client: Any) -> Any:
    of = client.beta.threads.runs
    run = await settled(of.create(**await _begun(client)))
    cancelled = await settled(of.cancel(run.id, thread_id=run.thread_id))
    return [cancelled, await settled(of.poll(run.id, thread_id=run.thread_id))]


@operation("openai", DEPRECATED)
async def runs_heard(client: Any) -> Any:
    """The helper tells an application's own event handler."""
    listener = _listener(client)
    async with entered(client.beta.threads.runs.stream(**await _begun(client), event_handler=listener)) as stream:
        await settled(stream.until_done())
        final = [await settled(stream.get_final_run()), await settled(stream.get_final_messages())]
    return [kind(stream)[0], listener.heard, final, await settled(stream.get_final_run_steps())]


@operation("openai", DEPRECATED)
async def runs_text_deltas(client: Any) -> Any:
    asking = client.beta.threads.create_and_run_stream(
        assistant_id=await _assistant(client), thread={"messages": HELLO}
    )
    async with entered(asking) as stream:
        return await each(stream.text_deltas)


@operation("openai", DEPRECATED)
async def runs_streamed_with_tools(client: Any) -> Any:
    of = client.beta.threads.runs
    listener = _listener(client)
    events: list[Any] = []
    async with entered(of.stream(**await _begun(client, tools=[CHAT_TOOL]))) as stream:
        events += await each(stream)
        run = await settled(stream.get_final_run())
    told = of.submit_tool_outputs_stream(
        run_id=run.id, thread_id=run.thread_id, tool_outputs=_outputs(run), event_handler=listener
    )
    async with entered(told) as stream:
        events += await each(stream)
    return [events, listener.heard]


@operation("openai", DEPRECATED)
async def runs_told_in_a_plain_stream(client: Any) -> Any:
    of = client.beta.threads.runs
    run = await settled(of.create_and_poll(**await _begun(client, tools=[CHAT_TOOL])))
    told = of.submit_tool_outputs(run.id, thread_id=run.thread_id, tool_outputs=_outputs(run), stream=True)
    return await each(await settled(told))
