"""What the model will say to one request, before it takes the shape of one API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import compact
from intercept.loopback.schema import example

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.loopback.jsontypes import JSONObject


@dataclass(frozen=True, slots=True)
class Tool:
    """A function the model may call."""

    name: str
    parameters: JSONObject


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a request decides what is said."""

    prompt: str  # the last text of the user
    tool_result: str | None = None  # set when the conversation ends with one
    tools: Sequence[Tool] = ()
    forced: str | None = None  # the tool the request insists on
    schema: JSONObject | None = None  # of a structured output


@dataclass(frozen=True, slots=True)
class Plan:
    """A text, or a call of one tool."""

    text: str
    tool: str | None = None
    arguments: str = ""  # JSON


def plan(asked: Asked, label: str) -> Plan:
    """Say a tool call if tools are given and have no result yet, else JSON if a schema is given, else a text."""
    if asked.tools and asked.tool_result is None:
        tool = next((tool for tool in asked.tools if tool.name == asked.forced), asked.tools[0])
        return Plan("", tool.name, compact(example(tool.parameters, f"value {label}")))
    if asked.schema is not None:
        return Plan(compact(example(asked.schema, f"value {label}")))
    if asked.tool_result is not None:
        return Plan(f"Reply {label}: the tool said {asked.tool_result}")
    return Plan(f"Reply {label} to: {asked.prompt}")
