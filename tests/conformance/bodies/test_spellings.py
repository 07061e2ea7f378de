"""One request spelled in many ways is one request; what the wire tells apart is another."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import openai
import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.stage import Stage
from tests.conformance.transports import library
from tests.conformance.ways import resource

MESSAGES = [
    {"role": role, "content": text} for role, text in (("user", "caf\u00e9"), ("assistant", "b"), ("user", "c"))
]
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "day": {"type": "integer"}},
    "required": ["city"],
}


def _tools(caller: Caller, schema: dict[str, Any] = SCHEMA) -> list[dict[str, Any]]:
    if caller.sdk == "anthropic":
        return [{"name": name, "input_schema": schema} for name in ("weather", "time")]
    return [{"type": "function", "function": {"name": name, "parameters": schema}} for name in ("weather", "time")]


def _asked(caller: Caller) -> dict[str, Any]:
    """Return the arguments that are recorded."""
    model = "gpt-4o" if caller.sdk == "openai" else "claude-test"
    return {
        "model": model,
        "max_tokens": 64,
        "messages": MESSAGES,
        "tools": _tools(caller),
        "extra_body": {"top_p": 0.5},
    }


def _with(asked: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Put more fields into the body."""
    return {**asked, "extra_body": {**asked["extra_body"], **fields}}


def _turned(value: Any) -> Any:
    """Turn the order of the keys of every object, and of nothing else."""
    return json.loads(json.dumps(value), object_pairs_hook=lambda pairs: dict(reversed(pairs)))


def _equal(caller: Caller) -> dict[str, dict[str, Any]]:
    sdk: Any = openai if caller.sdk == "openai" else anthropic
    asked = _asked(caller)
    stop = "stop" if caller.sdk == "openai" else "stop_sequences"
    unset = {"metadata": sdk.NOT_GIVEN, stop: getattr(sdk, "omit", sdk.NOT_GIVEN), "extra_headers": None}
    return {
        "as it was": asked,
        "keywords turned": dict(reversed(asked.items())),
        "keys turned": _turned(asked),
        "tuples": {**asked, "messages": (*MESSAGES,), "tools": (*asked["tools"],)},
        "a number written otherwise": _with(asked, top_p=5e-1),
        "nothing said": {**asked, **unset},
        "as extra body": _with({**asked, "max_tokens": 1}, max_tokens=64),
        "timeout": {**asked, "timeout": library(caller).Timeout(5, connect=1)},
        "no timeout": {**asked, "timeout": None},
        "headers": {**asked, "extra_headers": {"x-mine": "1", "Idempotency-Key": "k"}},
        "empty query": {**asked, "extra_query": {}},
    }


def _other(caller: Caller) -> dict[str, dict[str, Any]]:
    asked = _asked(caller)
    first, *rest = MESSAGES
    parts = [{"type": "text", "text": first["content"]}]
    return {
        "messages turned": {**asked, "messages": MESSAGES[::-1]},
        "tools turned": {**asked, "tools": asked["tools"][::-1]},
        "another schema": {**asked, "tools": _tools(caller, {**SCHEMA, "required": []})},
        "a tool less": {**asked, "tools": asked["tools"][:1]},
        "no tools": {name: value for name, value in asked.items() if name != "tools"},
        "null": _with(asked, temperature=None),
        "zero": _with(asked, temperature=0),
        "zero and a point": _with(asked, temperature=0.0),
        "false": _with(asked, store=False),
        "empty text": _with(asked, user=""),
        "empty list": _with(asked, stop=[]),
        "empty object": _with(asked, metadata={}),
        "another number": _with(asked, top_p=0.5000000001),
        "a number as text": _with(asked, top_p="0.5"),
        "a whole number with a point": {**asked, "max_tokens": 64.0},
        "decomposed": {**asked, "messages": [{"role": "user", "content": "cafe\u0301"}, *rest]},
        "a blank": {**asked, "messages": [{**first, "content": "caf\u00e9 "}, *rest]},
        "another role": {**asked, "messages": [{**first, "role": "assistant"}, *rest]},
        "one message more": {**asked, "messages": [*MESSAGES, MESSAGES[0]]},
        "content in parts": {
            **asked,
            "messages": [{**first, "content": parts}, *rest],
        },
        "a field more": {**asked, "messages": [{**first, "name": "x"}, *rest]},
        "another model": {**asked, "model": asked["model"] + "-2"},
        "no stream": {**asked, "stream": False},
        "a query": {**asked, "extra_query": {"a": "1"}},
    }


def _asking(arguments: dict[str, Any]) -> Any:
    async def scenario(client: Any) -> Any:
        return await settled(resource(client).create(**arguments))

    return scenario


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_another_spelling_is_the_same_request(caller: Caller, stage: Stage) -> None:
    """Order of keys and keywords, lists and tuples, what is left out, and what is not part of the question."""
    recorded, _ = stage.recorded(caller, _asking(_asked(caller)))

    for spelling, arguments in _equal(caller).items():
        assert stage.replayed(caller, _asking(arguments))[0] == recorded, spelling


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_what_the_wire_tells_apart_is_another_request(caller: Caller, stage: Stage) -> None:
    """Order of lists, absent and null, zero, false and empty, kinds of numbers, every letter."""
    stage.recorded(caller, _asking(_asked(caller)))

    for change, arguments in _other(caller).items():
        with pytest.raises(intercept.NeverRecorded):
            pytest.fail(f"{change}: {stage.replayed(caller, _asking(arguments))}")
