"""What is asked, in the shapes of both SDKs."""

from __future__ import annotations

from typing import Any

import pydantic

USER: list[Any] = [{"role": "user", "content": "What is it?"}]
CHAT: dict[str, Any] = {"model": "gpt-4o", "messages": USER}
MESSAGE: dict[str, Any] = {"model": "claude-test", "max_tokens": 64, "messages": USER}
WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CHAT_TOOL: dict[str, Any] = {"type": "function", "function": {"name": "weather", "parameters": WEATHER}}
TIME_TOOL: dict[str, Any] = {"type": "function", "function": {"name": "time", "parameters": WEATHER}}
RESPONSE_TOOL: dict[str, Any] = {"type": "function", "name": "weather", "parameters": WEATHER, "strict": True}
MESSAGE_TOOL: dict[str, Any] = {"name": "weather", "input_schema": WEATHER}


class Answer(pydantic.BaseModel):
    """The structured answer that is asked for."""

    city: str
    degrees: int
