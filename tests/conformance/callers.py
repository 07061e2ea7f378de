"""The two SDKs, synchronous and asynchronous, behind one face: a scenario is written once."""

from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import anthropic
import openai

from intercept.loopback import Provider

KEY = "sk-" + "A" * 40
# Reading the system's certificates costs 45 ms a client; nobody is asked over TLS here.
_TRUST_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

Scenario = Callable[[Any], Awaitable[Any]]


@dataclass(frozen=True)
class Caller:
    """One SDK in one of its two ways."""

    sdk: Literal["openai", "anthropic"]
    is_async: bool

    def __str__(self) -> str:
        return f"{self.sdk}-{'async' if self.is_async else 'sync'}"

    def client(self, url: str, key: str | None = KEY, **options: Any) -> Any:
        """Make a client as applications do; without a key where it is None."""
        module: Any = openai if self.sdk == "openai" else anthropic
        name = {"openai": "OpenAI", "anthropic": "Anthropic"}[self.sdk]
        kind = getattr(module, "Async" + name if self.is_async else name)
        http = module.DefaultAsyncHttpxClient if self.is_async else module.DefaultHttpxClient
        options.setdefault("http_client", http(verify=_TRUST_NOBODY))
        if key is not None:
            options["api_key"] = key
        return kind(base_url=self.base_url(url), **options)

    def base_url(self, url: str) -> str:
        """Return the address that the SDK's client takes."""
        return url + "/v1" if self.sdk == "openai" else url

    def run(self, scenario: Scenario, client: Any) -> Any:
        """Run a scenario to its end."""

        async def whole() -> Any:
            try:
                return await scenario(client)
            finally:
                await settled(client.close())

        return asyncio.run(whole())


def live_environment(provider: Provider) -> dict[str, str]:
    """Return the variables by which a program's own clients find the provider, with a key."""
    return {
        "OPENAI_BASE_URL": provider.url + "/v1",
        "ANTHROPIC_BASE_URL": provider.url,
        "OPENAI_API_KEY": KEY,
        "ANTHROPIC_API_KEY": KEY,
    }


CALLERS = [Caller(sdk, is_async) for sdk in ("openai", "anthropic") for is_async in (False, True)]


async def settled(value: Any) -> Any:
    """Await what an asynchronous client gives; take what a synchronous one gives as it is."""
    return await value if inspect.isawaitable(value) else value


async def items(stream: Any) -> AsyncIterator[Any]:
    """Give what a stream or a page iterator of either kind gives, one by one."""
    if hasattr(stream, "__aiter__"):
        async for item in stream:
            yield item
    else:
        for item in stream:
            yield item


async def each(stream: Any) -> list[Any]:
    """Read a stream or a page iterator to its end."""
    return [item async for item in items(stream)]


@asynccontextmanager
async def entered(manager: Any) -> AsyncGenerator[Any, None]:
    """Enter a context manager, whichever kind it is."""
    if hasattr(manager, "__aenter__"):
        async with manager as value:
            yield value
    else:
        with manager as value:
            yield value


async def ask(client: Any, text: str = "hi", **options: Any) -> Any:
    """Ask the plain question of either SDK: a chat completion or a message."""
    messages: Any = [{"role": "user", "content": text}]
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return await settled(client.chat.completions.create(model="gpt-4o", messages=messages, **options))
    return await settled(client.messages.create(model="claude-test", max_tokens=64, messages=messages, **options))


def said(reply: Any) -> str:
    """Return the text of a reply of either SDK."""
    return str(reply.choices[0].message.content if hasattr(reply, "choices") else reply.content[0].text)
