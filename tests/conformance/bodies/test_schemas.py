"""Classes given as schemas: described by the SDK alone, never called, and known by what they describe."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import openai
import pydantic
import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, each, entered, settled
from tests.conformance.stage import Stage
from tests.conformance.versions import skip_as_it_lacks
from tests.conformance.ways import name, question, resource

made: list[str] = []


def model(**fields: Any) -> type[pydantic.BaseModel]:
    """Make a class that notes when an object of it is made."""

    def init(self: Any, **values: Any) -> None:
        made.append("one")
        pydantic.BaseModel.__init__(self, **values)

    base = type("Noted", (pydantic.BaseModel,), {"__init__": init})
    return pydantic.create_model("Answer", __base__=base, **fields)


async def _chat_parse(client: Any, schema: Any) -> Any:
    return await settled(client.chat.completions.parse(**question(client), response_format=schema))


async def _chat_tool(client: Any, schema: Any) -> Any:
    tool = openai.pydantic_function_tool(schema)
    return await settled(client.chat.completions.create(**question(client), tools=[tool]))


async def _chat_helper(client: Any, schema: Any) -> Any:
    async with entered(client.chat.completions.stream(**question(client), response_format=schema)) as stream:
        return len(await each(stream))


async def _responses_parse(client: Any, schema: Any) -> Any:
    return await settled(client.responses.parse(model="gpt-4o", input="?", text_format=schema))


async def _message_parse(client: Any, schema: Any) -> Any:
    if not hasattr(client.messages, "parse"):
        skip_as_it_lacks(client, "messages.parse")
    return await settled(client.messages.parse(**question(client), output_format=schema))


async def _message_helper(client: Any, schema: Any) -> Any:
    if not hasattr(client.messages, "parse"):
        skip_as_it_lacks(client, "class as a schema")
    async with entered(resource(client).stream(**question(client), output_format=schema)) as stream:
        return await settled(stream.get_final_message())


_CALLS: dict[str, list[Callable[[Any, Any], Awaitable[Any]]]] = {
    "openai": [_chat_parse, _chat_tool, _chat_helper, _responses_parse],
    "anthropic": [_message_parse, _message_helper],
}


@pytest.mark.parametrize(
    ("caller", "call"),
    [pytest.param(caller, call, id=f"{caller}{name(call)}") for caller in CALLERS for call in _CALLS[caller.sdk]],
)
def test_a_class_is_described_and_never_called(caller: Caller, call: Any, stage: Stage) -> None:
    """As many objects are made of it as without us; a changed field, type or default of it misses."""
    fields: dict[str, Any] = {"city": (str, ...), "degrees": (int, ...)}
    counts: list[int] = []

    def asking(**fields: Any) -> Any:
        async def scenario(client: Any) -> Any:
            made.clear()
            result = await call(client, model(**fields))
            counts.append(len(made))
            return result

        return scenario

    stage.agree(caller, asking(**fields))

    assert counts == [counts[0]] * 3
    assert counts[0] <= 3
    for changed in (
        {"city": (str, ...)},
        {"city": (str, ...), "degrees": (float, ...)},
        {"city": (str, ...), "degrees": (int, pydantic.Field(description="Celsius"))},
        {"degrees": (int, ...), "town": (str, ...)},
    ):
        with pytest.raises(intercept.NeverRecorded):
            stage.replayed(caller, asking(**changed))
