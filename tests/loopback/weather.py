"""One tool, as each API wants it described."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anthropic.types import ToolParam
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam

PARAMETERS: dict[str, object] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "unit": {"enum": ["C", "F"]}, "note": {"type": "string"}},
    "required": ["city", "unit"],
}
CHAT_TOOLS: list[ChatCompletionFunctionToolParam] = [
    {"type": "function", "function": {"name": "time", "parameters": {"type": "object"}}},
    {"type": "function", "function": {"name": "weather", "parameters": PARAMETERS}},
]
RESPONSES_TOOLS: list[FunctionToolParam] = [
    {"type": "function", "name": "weather", "parameters": PARAMETERS, "strict": True}
]
MESSAGES_TOOLS: list[ToolParam] = [
    {"name": "weather", "input_schema": {"type": "object", **{k: v for k, v in PARAMETERS.items() if k != "type"}}}
]
CALLED = {"city": "value 1", "unit": "C"}
