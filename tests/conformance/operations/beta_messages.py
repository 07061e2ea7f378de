"""Messages of the beta, and the loop over tools that its SDK runs by itself."""

from __future__ import annotations

from typing import Any

import anthropic

from tests.conformance.callers import each, entered, items, settled
from tests.conformance.operations.messages import THINKING, TWO_TOOLS
from tests.conformance.operations.questions import MESSAGE, USER, Answer
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

BETA: dict[str, Any] = {**MESSAGE, "betas": ["files-api-2025-04-14", "interleaved-thinking-2025-05-14"]}


@operation("anthropic")
async def beta_message(client: Any) -> Any:
    return await settled(client.beta.messages.create(**MESSAGE, betas=["files-api-2025-04-14"]))


@viewed("anthropic", streams=True)
async def beta(_client: Any) -> Asked:
    return asked("beta.messages.create", **BETA)


@viewed("anthropic", streams=True, variant=True)
async def beta_thinking(_client: Any) -> Asked:
    return asked("beta.messages.create", **{**THINKING, **TWO_TOOLS, "tool_choice": {"type": "auto"}})


@viewed("anthropic")
async def beta_tokens(_client: Any) -> Asked:
    return asked("beta.messages.count_tokens", model="claude-test", messages=USER, betas=BETA["betas"])


@viewed("anthropic")
async def beta_structured(_client: Any) -> Asked:
    return asked("beta.messages.parse", **MESSAGE, output_format=Answer)


@operation("anthropic")
async def beta_helper(client: Any) -> Any:
    async with entered(client.beta.messages.stream(**BETA)) as stream:
        events = [[event.type, event] for event in await each(stream)]
        return [events, await settled(stream.get_final_message())]


@operation("anthropic")
async def beta_text_stream(client: Any) -> Any:
    async with entered(client.beta.messages.stream(**MESSAGE)) as stream:
        return [await each(stream.text_stream), await settled(stream.get_final_text())]


@operation("anthropic")
async def beta_is_not_the_same_question(client: Any) -> Any:
    """Other betas ask for another answer."""
    return [
        await settled(client.beta.messages.create(**MESSAGE)),
        await settled(client.beta.messages.create(**BETA)),
        await settled(client.messages.create(**MESSAGE)),
        await settled(client.messages.create(**MESSAGE, extra_headers={"anthropic-beta": "mine-2025-01-01"})),
    ]


@operation("anthropic", needs="beta.messages.thread")
async def beta_thread(client: Any) -> Any:
    """A conversation that the SDK keeps."""
    thread = client.beta.messages.thread(model="claude-test", max_tokens=64, messages=USER)
    first = await settled(thread.send())
    async with entered(thread.stream({"role": "user", "content": "Sure?"})) as stream:
        second = await settled(stream.get_final_message())
    return [first, second, thread.messages]


def _tool(client: Any) -> Any:
    """Return a function as a tool of the client's kind."""
    module: Any = anthropic

    def weather(city: str) -> str:
        """Tell the weather.

        Args:
            city: where
        """
        return f"sunny in {city}"

    async def weather_later(city: str) -> str:
        return weather(city)

    if not isinstance(client, anthropic.AsyncAnthropic):
        return module.beta_tool(weather)
    weather_later.__doc__ = weather.__doc__
    return module.beta_async_tool(weather_later, name="weather")


@operation("anthropic", needs="beta.messages.tool_runner")
async def tool_runner(client: Any) -> Any:
    return await each(client.beta.messages.tool_runner(**MESSAGE, tools=[_tool(client)]))


@operation("anthropic", needs="beta.messages.tool_runner")
async def tool_runner_until_done(client: Any) -> Any:
    runner = client.beta.messages.tool_runner(**BETA, tools=[_tool(client)], max_iterations=5)
    return await settled(runner.until_done())


@operation("anthropic", needs="beta.messages.tool_runner")
async def tool_runner_streamed(client: Any) -> Any:
    turns: list[Any] = []
    async for stream in items(client.beta.messages.tool_runner(**MESSAGE, tools=[_tool(client)], stream=True)):
        events = [event.type for event in await each(stream)]
        turns.append([events, await settled(stream.get_final_message())])
    assert len(turns) == 2
    return turns


@operation("anthropic", needs="beta.messages.tool_runner")
async def tool_runner_led(client: Any) -> Any:
    """The application reads the tool's answer, and changes what is asked next."""
    runner = client.beta.messages.tool_runner(**MESSAGE, tools=[_tool(client)])
    turns: list[Any] = []
    async for message in items(runner):
        answer = await settled(runner.generate_tool_call_response())
        turns.append([message, answer])
        if answer is not None:
            runner.append_messages(message, answer, {"role": "user", "content": "Be brief."})
    return turns
