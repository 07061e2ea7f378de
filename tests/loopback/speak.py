"""One way to ask each API one thing: sync and async, whole and streamed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .clients import Clients


def _chat(to: Clients, text: str) -> str:
    with to.openai() as client:
        done = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
        return done.choices[0].message.content or ""


def _chat_stream(to: Clients, text: str) -> str:
    with to.openai() as client:
        chunks = client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": text}], stream=True
        )
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


async def _chat_async(to: Clients, text: str) -> str:
    async with to.async_openai() as client:
        done = await client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
        return done.choices[0].message.content or ""


async def _chat_stream_async(to: Clients, text: str) -> str:
    async with to.async_openai() as client:
        chunks = await client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "user", "content": text}], stream=True
        )
        return "".join([chunk.choices[0].delta.content or "" async for chunk in chunks])


def _responses(to: Clients, text: str) -> str:
    with to.openai() as client:
        return client.responses.create(model="gpt-4o", input=text).output_text


def _responses_stream(to: Clients, text: str) -> str:
    with to.openai() as client:
        events = client.responses.create(model="gpt-4o", input=text, stream=True)
        return "".join(event.delta for event in events if event.type == "response.output_text.delta")


async def _responses_async(to: Clients, text: str) -> str:
    async with to.async_openai() as client:
        return (await client.responses.create(model="gpt-4o", input=text)).output_text


async def _responses_stream_async(to: Clients, text: str) -> str:
    async with to.async_openai() as client:
        events = await client.responses.create(model="gpt-4o", input=text, stream=True)
        return "".join([event.delta async for event in events if event.type == "response.output_text.delta"])


def _messages(to: Clients, text: str) -> str:
    with to.anthropic() as client:
        done = client.messages.create(model="claude", max_tokens=99, messages=[{"role": "user", "content": text}])
        return "".join(block.text for block in done.content if block.type == "text")


def _messages_stream(to: Clients, text: str) -> str:
    with (
        to.anthropic() as client,
        client.messages.stream(model="claude", max_tokens=99, messages=[{"role": "user", "content": text}]) as stream,
    ):
        return "".join(stream.text_stream)


async def _messages_async(to: Clients, text: str) -> str:
    async with to.async_anthropic() as client:
        done = await client.messages.create(model="claude", max_tokens=99, messages=[{"role": "user", "content": text}])
        return "".join(block.text for block in done.content if block.type == "text")


async def _messages_stream_async(to: Clients, text: str) -> str:
    async with (
        to.async_anthropic() as client,
        client.messages.stream(model="claude", max_tokens=99, messages=[{"role": "user", "content": text}]) as stream,
    ):
        return "".join([part async for part in stream.text_stream])


_PLAIN: dict[str, Callable[[Clients, str], str]] = {
    "chat": _chat,
    "chat-stream": _chat_stream,
    "responses": _responses,
    "responses-stream": _responses_stream,
    "messages": _messages,
    "messages-stream": _messages_stream,
}
_ASYNC: dict[str, Callable[[Clients, str], Awaitable[str]]] = {
    "chat": _chat_async,
    "chat-stream": _chat_stream_async,
    "responses": _responses_async,
    "responses-stream": _responses_stream_async,
    "messages": _messages_async,
    "messages-stream": _messages_stream_async,
}


@dataclass(frozen=True)
class Speak:
    """Asks one API one thing, with one kind of client, whole or streamed."""

    name: str
    asynchronous: bool

    def __str__(self) -> str:
        """Return its name in a test's id."""
        return f"{self.name}-{'async' if self.asynchronous else 'sync'}"

    def __call__(self, to: Clients, text: str) -> str:
        """Return the text of the reply."""
        if not self.asynchronous:
            return _PLAIN[self.name](to, text)

        async def run() -> str:
            return await _ASYNC[self.name](to, text)

        return asyncio.run(run())


EVERY = [Speak(name, asynchronous) for name in _PLAIN for asynchronous in (False, True)]
