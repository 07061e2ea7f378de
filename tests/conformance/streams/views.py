"""The plain question, streamed, in the other ways of asking it: to be entered, and read inside the block."""

from __future__ import annotations

from typing import Any

import openai

_MESSAGES: Any = [{"role": "user", "content": "hi"}]
_OPENAI: Any = {"model": "gpt-4o", "messages": _MESSAGES}
_ANTHROPIC: Any = {"model": "claude-test", "max_tokens": 64, "messages": _MESSAGES}


def opened(client: Any) -> Any:
    """Ask for the response, whose bytes, text or lines are read."""
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return client.chat.completions.with_streaming_response.create(**_OPENAI, stream=True)
    return client.messages.with_streaming_response.create(**_ANTHROPIC, stream=True)


def helped(client: Any) -> Any:
    """Ask for the SDK's helper, which puts the events together."""
    if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)):
        return client.chat.completions.stream(**_OPENAI)
    return client.messages.stream(**_ANTHROPIC)
