"""A small travel agent on the plain `openai` and `anthropic` SDKs; it knows nothing of what is around it.

Its clients are made as anybody makes them: keys and base URLs come from the environment.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anthropic import Anthropic, AsyncAnthropic
from openai import OpenAI
from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from openai.types.chat import ChatCompletionToolParam

FORECAST = {"Lisbon": "14 C and rain", "Oslo": "-3 C and snow"}
MOST_TURNS = 5
GET_WEATHER: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Today's weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


class Outing(BaseModel):
    """What to do on a rainy day."""

    place: str
    hours: int
    indoors: bool


@dataclass(frozen=True)
class Got:
    """What one step brought: a text for people, the SDK's own objects, and the deltas of a stream."""

    text: str
    objects: tuple[BaseModel, ...]
    deltas: tuple[str, ...] = ()


def get_weather(city: str) -> str:
    """Look the weather up: the tool that the model may call."""
    return next((weather for name, weather in FORECAST.items() if name in city), "20 C and sun")


def advise(model: str, city: str) -> Got:
    """Answer with the help of a tool: ask, run what the model calls, ask again."""
    messages: list[Any] = [{"role": "user", "content": f"What should I wear in {city} today?"}]
    completions: list[BaseModel] = []
    text = ""
    with OpenAI() as client:
        for _ in range(MOST_TURNS):
            completion = client.chat.completions.create(model=model, messages=messages, tools=[GET_WEATHER])
            completions.append(completion)
            message = completion.choices[0].message
            if not message.tool_calls:
                text = message.content or ""
                break
            messages.append(message)
            for call in message.tool_calls:
                if call.type == "function":
                    result = get_weather(**json.loads(call.function.arguments))
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    return Got(text, tuple(completions))


def describe(model: str, city: str) -> Got:
    """Read a text as it is written."""
    deltas: list[str] = []
    with (
        Anthropic() as client,
        client.messages.stream(
            model=model,
            max_tokens=300,
            messages=[{"role": "user", "content": f"Two short lines about rain in {city}, please."}],
        ) as stream,
    ):
        deltas.extend(stream.text_stream)
        message = stream.get_final_message()
    return Got("".join(deltas), (message,), tuple(deltas))


def plan(model: str, city: str) -> Got:
    """Have a pydantic model filled in."""
    with OpenAI() as client:
        completion = client.chat.completions.parse(
            model=model,
            messages=[{"role": "user", "content": f"One outing in {city} for a rainy day."}],
            response_format=Outing,
        )
    outing = completion.choices[0].message.parsed
    return Got(repr(outing), (completion,) if outing is None else (completion, outing))


def measure(model: str, texts: Sequence[str]) -> Got:
    """Count the tokens of several texts at once."""
    return asyncio.run(_measure(model, texts))


async def _measure(model: str, texts: Sequence[str]) -> Got:
    async with AsyncAnthropic() as client:
        counts = await asyncio.gather(
            *(client.messages.count_tokens(model=model, messages=[{"role": "user", "content": text}]) for text in texts)
        )
    return Got(", ".join(f"{count.input_tokens} tokens" for count in counts), tuple(counts))
