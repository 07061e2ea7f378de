"""Assistants, threads and runs. The SDK warns of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import openai
import pytest

from .weather import CHAT_TOOLS

if TYPE_CHECKING:
    from .clients import Clients

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

HELLO: list[Any] = [{"role": "user", "content": "hi"}]


def test_a_run_is_polled_until_it_has_said_something(clients: Clients) -> None:
    """Queued, in progress, completed; then its message is the newest of the thread, and a step tells of it."""
    client: Any = clients.openai()
    assistant = client.beta.assistants.create(model="m", instructions="Be brief.")
    thread = client.beta.threads.create(messages=HELLO)
    begun = client.beta.threads.runs.create(thread.id, assistant_id=assistant.id)
    before = list(client.beta.threads.messages.list(thread.id))
    run = client.beta.threads.runs.poll(begun.id, thread_id=thread.id)
    said = list(client.beta.threads.messages.list(thread.id, limit=1))
    [step] = client.beta.threads.runs.steps.list(run.id, thread_id=thread.id)

    assert (begun.status, run.status, run.instructions) == ("queued", "completed", "Be brief.")
    assert len(before) == 1
    assert [message.role for message in said] == ["assistant", "user"]
    assert said[0].content[0].type == "text"
    assert said[0].content[0].text.value == "Reply 3 to: hi"
    assert step.step_details.type == "message_creation"
    assert step.step_details.message_creation.message_id == said[0].id


@pytest.mark.parametrize("streamed", [False, True], ids=["polled", "streamed"])
def test_a_run_waits_for_the_results_of_tools(clients: Clients, *, streamed: bool) -> None:
    """It asks for them, and puts them into words."""
    client: Any = clients.openai()
    assistant = client.beta.assistants.create(model="m", tools=CHAT_TOOLS)
    thread = client.beta.threads.create(messages=HELLO)
    runs = client.beta.threads.runs
    if streamed:
        with runs.stream(thread_id=thread.id, assistant_id=assistant.id) as stream:
            run = stream.get_final_run()
    else:
        run = runs.create_and_poll(thread_id=thread.id, assistant_id=assistant.id)
    assert run.required_action is not None
    call = run.required_action.submit_tool_outputs.tool_calls[0]
    outputs: list[Any] = [{"tool_call_id": call.id, "output": "12 C"}]
    if streamed:
        with runs.submit_tool_outputs_stream(run_id=run.id, thread_id=thread.id, tool_outputs=outputs) as told:
            done = told.get_final_run()
    else:
        done = runs.submit_tool_outputs_and_poll(run_id=run.id, thread_id=thread.id, tool_outputs=outputs)
    said = next(iter(client.beta.threads.messages.list(thread.id)))
    steps = list(runs.steps.list(run.id, thread_id=thread.id, order="asc"))

    assert (run.status, call.function.name, done.status) == ("requires_action", "time", "completed")
    assert said.content[0].type == "text"
    assert said.content[0].text.value.endswith(": the tool said 12 C")
    assert steps[0].step_details.type == "tool_calls"
    assert steps[0].step_details.tool_calls[0].type == "function"
    assert steps[0].step_details.tool_calls[0].function.output == "12 C"
    assert [step.status for step in steps] == ["completed", "completed"]


def test_a_streamed_run_tells_how_all_comes_to_be(clients: Clients) -> None:
    """Thread, run, step and message, each named by its event; the words add up to the message."""
    client: Any = clients.openai()
    assistant = client.beta.assistants.create(model="m")
    with client.beta.threads.create_and_run_stream(assistant_id=assistant.id, thread={"messages": HELLO}) as stream:
        events = list(stream)
    words = [event for event in events if event.event == "thread.message.delta"]

    assert [event.event for event in events if event not in words] == [
        "thread.created",
        "thread.run.created",
        "thread.run.queued",
        "thread.run.in_progress",
        "thread.run.step.created",
        "thread.run.step.in_progress",
        "thread.message.created",
        "thread.message.in_progress",
        "thread.message.completed",
        "thread.run.step.completed",
        "thread.run.completed",
    ]
    assert len(words) == 4


def test_a_run_can_be_cancelled(clients: Clients) -> None:
    """It takes one more look, and says nothing."""
    client: Any = clients.openai()
    assistant = client.beta.assistants.create(model="m")
    begun = client.beta.threads.create_and_run(assistant_id=assistant.id, thread={"messages": HELLO})
    cancelling = client.beta.threads.runs.cancel(begun.id, thread_id=begun.thread_id)
    done = client.beta.threads.runs.poll(begun.id, thread_id=begun.thread_id)

    assert (cancelling.status, done.status) == ("cancelling", "cancelled")
    assert len(list(client.beta.threads.messages.list(begun.thread_id))) == 1


def test_what_is_kept_can_be_changed_and_deleted(clients: Clients) -> None:
    """Assistants, threads and messages."""
    client: Any = clients.openai()
    assistant = client.beta.assistants.create(model="m", name="a")
    thread = client.beta.threads.create(messages=HELLO)
    [message] = client.beta.threads.messages.list(thread.id)
    client.beta.assistants.update(assistant.id, name="b")
    client.beta.threads.update(thread.id, metadata={"of": "mine"})
    client.beta.threads.messages.update(message.id, thread_id=thread.id, metadata={"of": "yours"})

    assert client.beta.assistants.retrieve(assistant.id).name == "b"
    assert client.beta.threads.retrieve(thread.id).metadata == {"of": "mine"}
    assert client.beta.threads.messages.retrieve(message.id, thread_id=thread.id).metadata == {"of": "yours"}
    assert client.beta.threads.messages.delete(message.id, thread_id=thread.id).deleted
    assert client.beta.threads.delete(thread.id).deleted
    assert client.beta.assistants.delete(assistant.id).deleted
    assert list(client.beta.assistants.list()) == []
    with pytest.raises(openai.NotFoundError, match="No thread found"):
        client.beta.threads.messages.list(thread.id)
