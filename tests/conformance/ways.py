"""The ways in which an application can ask the plain question of either SDK."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import openai
import pydantic
import pytest

from tests.conformance.callers import ask, each, entered, settled

Way = Callable[..., Awaitable[Any]]


class Answer(pydantic.BaseModel):
    """The structured answer that is asked for."""

    city: str


def resource(client: Any) -> Any:
    """Return what takes the plain question: chat completions, or messages."""
    return client.chat.completions if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)) else client.messages


def question(client: Any, text: str = "hi") -> dict[str, Any]:
    """Return the arguments of the plain question."""
    messages = [{"role": "user", "content": text}]
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return {"model": "gpt-4o", "messages": messages}
    return {"model": "claude-test", "max_tokens": 64, "messages": messages}


async def plain(client: Any, text: str = "hi") -> Any:
    """Ask plainly."""
    return await ask(client, text)


async def stream(client: Any, text: str = "hi") -> Any:
    """Ask for a stream, and read it."""
    return await each(await ask(client, text, stream=True))


async def helper(client: Any, text: str = "hi") -> Any:
    """Ask through the SDK's helper for streams."""
    async with entered(resource(client).stream(**question(client, text))) as events:
        return len(await each(events))


async def parse(client: Any, text: str = "hi") -> Any:
    """Ask for a structured answer."""
    if not hasattr(resource(client), "parse"):
        pytest.skip("this SDK has no parse")
    named = {"response_format": Answer} if hasattr(client, "chat") else {"output_format": Answer}
    return await settled(resource(client).parse(**question(client, text), **named))


async def raw(client: Any, text: str = "hi") -> Any:
    """Ask for the raw view."""
    view = await settled(resource(client).with_raw_response.create(**question(client, text)))
    return await settled(view.parse())


async def raw_stream(client: Any, text: str = "hi") -> Any:
    """Ask for the raw view of a stream."""
    view = await settled(resource(client).with_raw_response.create(**question(client, text), stream=True))
    return await each(await settled(view.parse()))


async def streaming_response(client: Any, text: str = "hi") -> Any:
    """Ask for a response whose body is read later."""
    async with entered(resource(client).with_streaming_response.create(**question(client, text))) as response:
        return await settled(response.parse())


WAYS: Final[tuple[Way, ...]] = (plain, stream, helper, parse, raw, raw_stream, streaming_response)


def name(way: Any) -> str:
    """Name a way as a parameter."""
    return str(way.__name__)
