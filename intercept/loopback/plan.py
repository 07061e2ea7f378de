"""What the model will say to one request, before it takes the shape of one API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import compact
from intercept.loopback.prose import tokens
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
    parallel: bool = False  # the request wants several tools called at once
    schema: JSONObject | None = None  # of a structured output


@dataclass(frozen=True, slots=True)
class Called:
    """A call of one tool."""

    tool: str
    arguments: str  # JSON


@dataclass(frozen=True, slots=True)
class Plan:
    """A text, or calls of tools."""

    text: str
    calls: tuple[Called, ...] = ()

    @property
    def tokens(self) -> int:
        """How many tokens it takes to say it."""
        return sum(tokens(said) for said in [call.arguments for call in self.calls] or [self.text])


def plan(asked: Asked, label: str) -> Plan:
    """Call a tool if any are given and have no result yet, else say JSON if a schema is given, else a text.

    The first tool is called, or the one insisted on; all of them if the request says that it wants several.
    """
    if asked.tools and asked.tool_result is None:
        forced = [tool for tool in asked.tools if tool.name == asked.forced]
        tools = forced or (asked.tools if asked.parallel else asked.tools[:1])
        return Plan("", tuple(Called(tool.name, compact(example(tool.parameters, f"value {label}"))) for tool in tools))
    if asked.schema is not None:
        return Plan(compact(example(asked.schema, f"value {label}")))
    if asked.tool_result is not None:
        return Plan(f"Reply {label}: the tool said {asked.tool_result}")
    return Plan(f"Reply {label} to: {asked.prompt}")
