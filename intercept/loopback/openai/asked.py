"""What decides the reply, read out of messages and tools in OpenAI's shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from intercept.loopback.jsontypes import as_list, as_object, as_text
from intercept.loopback.plan import Asked, Tool

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject


def text_of(content: object) -> str:
    """Return the text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    return " ".join(as_text(as_object(part).get("text")) for part in as_list(content)).strip()


def from_chat(body: JSONObject) -> Asked:
    """Return what a chat completion asks."""
    messages = [as_object(message) for message in as_list(body.get("messages"))]
    last = messages[-1] if messages else {}
    users = [message for message in messages if message.get("role") == "user"]
    schema = as_object(as_object(body.get("response_format")).get("json_schema")).get("schema")
    return Asked(
        prompt=text_of(users[-1].get("content")) if users else "",
        tool_result=text_of(last.get("content")) if last.get("role") == "tool" else None,
        tools=_tools(body, nested=True),
        forced=as_text(as_object(as_object(body.get("tool_choice")).get("function")).get("name")) or None,
        schema=as_object(schema) if schema else None,
        parallel=body.get("parallel_tool_calls") is True,
    )


def from_responses(body: JSONObject) -> Asked:
    """Return what a response asks."""
    given = body.get("input")
    items: list[Any] = [{"role": "user", "content": given}] if isinstance(given, str) else as_list(given)
    users = [as_object(item) for item in items if as_object(item).get("role") == "user"]
    results = [as_object(item) for item in items if as_object(item).get("type") == "function_call_output"]
    text_format = as_object(as_object(body.get("text")).get("format"))
    return Asked(
        prompt=text_of(users[-1].get("content")) if users else "",
        tool_result=text_of(results[-1].get("output")) if results else None,
        tools=_tools(body, nested=False),
        forced=as_text(as_object(body.get("tool_choice")).get("name")) or None,
        schema=as_object(text_format.get("schema")) if text_format.get("type") == "json_schema" else None,
        parallel=body.get("parallel_tool_calls") is True,
    )


def _tools(body: JSONObject, *, nested: bool) -> list[Tool]:
    """Return the functions offered; hosted tools are left out, as nobody could call them here."""
    if body.get("tool_choice") == "none":
        return []
    tools = [as_object(tool) for tool in as_list(body.get("tools"))]
    functions = [tool for tool in tools if tool.get("type") == "function"]
    described = [as_object(tool.get("function")) if nested else tool for tool in functions]
    return [Tool(as_text(tool.get("name")), as_object(tool.get("parameters"))) for tool in described]
