"""What decides the reply, read out of messages and tools in Anthropic's shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.plan import Asked, Tool

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject


def from_messages(body: JSONObject) -> Asked:
    """Return what a message asks."""
    messages = [as_object(message) for message in as_list(body.get("messages"))]
    users = [message for message in messages if message.get("role") == "user"]
    last = _blocks(users[-1].get("content")) if users else []
    results = [block for block in last if block.get("type") == "tool_result"]
    choice = as_object(body.get("tool_choice"))
    # Structured output: `output_config.format`, in the beta's first form `output_format`.
    output = as_object(as_object(body.get("output_config")).get("format")) or as_object(body.get("output_format"))
    return Asked(
        prompt=_text(last),
        tool_result=_text(_blocks(results[-1].get("content"))) if results else None,
        tools=[] if choice.get("type") == "none" else _tools(body),
        forced=as_text(choice.get("name")) or None,
        schema=as_object(output.get("schema")) if output.get("type") == "json_schema" else None,
        parallel=choice.get("disable_parallel_tool_use") is False,
    )


def _tools(body: JSONObject) -> list[Tool]:
    """Return the tools of the client; the provider's own have no schema here, and nobody could call them."""
    tools = [as_object(tool) for tool in as_list(body.get("tools"))]
    return [
        Tool(as_text(tool.get("name")), as_object(tool["input_schema"])) for tool in tools if "input_schema" in tool
    ]


def _blocks(content: object) -> list[JSONObject]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [as_object(block) for block in as_list(content)]


def _text(blocks: list[JSONObject]) -> str:
    return " ".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")
