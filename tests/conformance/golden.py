"""Requests whose identity is pinned in `golden.json`: what application code asks, on any version of the SDKs."""

from __future__ import annotations

import io
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import anthropic
import openai
import pydantic

Ask = Callable[[Any], Any]

_IMAGE: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_WEATHER: Final = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}
_TOOL: Final = {"name": "weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}


class _Level(str, Enum):
    LOW = "low"


class _Answer(pydantic.BaseModel):
    city: str
    degrees: float | None = None


def _chat(**changes: Any) -> Ask:
    asked: dict[str, Any] = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
    return lambda client: client.chat.completions.create(**{**asked, **changes})


def _body(**fields: Any) -> Ask:
    return _chat(extra_body=fields)


def _said(content: Any) -> Ask:
    return _chat(messages=[{"role": "user", "content": content}])


def _message(**changes: Any) -> Ask:
    asked: dict[str, Any] = {
        "model": "claude-sonnet-4-5",
        "max_tokens": 16,
        "messages": [{"role": "user", "content": "hi"}],
    }
    return lambda client: client.messages.create(**{**asked, **changes})


def _beta(betas: str) -> Ask:
    return _message(extra_headers={"anthropic-beta": betas})


def _fed_back(client: Any) -> Any:
    """Give an answer's own message back, as an object of the SDK."""
    answered = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "first"}])
    message = answered.choices[0].message
    return client.chat.completions.create(model="gpt-4o", messages=[message, {"role": "user", "content": "hi"}])


OPENAI: Final[dict[str, Ask]] = {
    "a question": _chat(),
    "another model": _chat(model="gpt-4o-mini"),
    "a stream": _chat(stream=True),
    "no stream, said so": _chat(stream=False),
    "temperature 1": _chat(temperature=1),
    "temperature 1.0": _chat(temperature=1.0),
    "temperature 0": _chat(temperature=0),
    "temperature -0.0": _chat(temperature=-0.0),
    "temperature null": _chat(temperature=None),
    "temperature not given": _chat(temperature=openai.NOT_GIVEN),
    "a seed": _chat(seed=7),
    "a seed of 2^53": _chat(seed=2**53),
    "a seed of 2^53 + 1": _chat(seed=2**53 + 1),
    "a small number": _body(x=1e-7),
    "a large number": _body(x=1e22),
    "a large whole number": _body(x=10**22),
    "many digits": _body(x=0.1 + 0.2),
    "a number as text": _body(x="1"),
    "true": _body(x=True),
    "false": _body(x=False),
    "null": _body(x=None),
    "an empty object": _body(x={}),
    "an empty array": _body(x=[]),
    "an empty text": _body(x=""),
    "keys in one order": _body(x={"a": 1, "b": 2}),
    "keys in another order": _body(x={"b": 2, "a": 1}),
    "an array in one order": _body(x=[1, 2]),
    "an array in another order": _body(x=[2, 1]),
    "a tuple": _body(x=(1, 2)),
    "an enum": _body(x=_Level.LOW),
    "letters of many languages": _said("Zoë 你好 नमस्ते"),
    "an accent as one letter": _said("\u00e9"),
    "an accent as two letters": _said("e\u0301"),
    "a joined emoji": _said("👩\u200d🚀"),
    "line separators": _said("\u2028\u2029\x85"),
    "control characters": _said("\x00\x1f\x7f\t\n"),
    "quotes and backslashes": _said('" \\ /'),
    "blanks at the end": _said("hi "),
    "an empty question": _said(""),
    "parts": _said([{"type": "text", "text": "hi"}]),
    "an image": _said([{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_IMAGE}"}}]),
    "no message": _chat(messages=[]),
    "an answer given back": _fed_back,
    "tools": _chat(tools=[_WEATHER]),
    "no tools": _chat(tools=[]),
    "a tool that must be used": _chat(tools=[_WEATHER], tool_choice="required"),
    "an answer in JSON": _chat(response_format={"type": "json_object"}),
    "an answer in a class": lambda client: client.chat.completions.parse(
        model="gpt-4o", messages=[{"role": "user", "content": "hi"}], response_format=_Answer
    ),
    "a stop": _chat(stop=["\n", "END"]),
    "another query": _chat(extra_query={"b": "2", "a": "1"}),
    "the same query in another order": _chat(extra_query={"a": "1", "b": "2"}),
    "a beta header": _chat(extra_headers={"OpenAI-Beta": "assistants=v2"}),
    "a header of one's own": _chat(extra_headers={"X-Mine": "1"}),
    "a response": lambda client: client.responses.create(model="gpt-4o", input="hi"),
    "an embedding": lambda client: client.embeddings.create(model="text-embedding-3-small", input="hi"),
    "embeddings as floats": lambda client: client.embeddings.create(
        model="text-embedding-3-small", input=["hi", ""], encoding_format="float"
    ),
    "one model": lambda client: client.models.retrieve("gpt-4o"),
    "another one": lambda client: client.models.retrieve("gpt-4o-mini"),
    "a fine-tuned model": lambda client: client.models.retrieve("ft:gpt-4o:mine"),
    "a page": lambda client: client.files.list(limit=2),
    "a file": lambda client: client.files.create(file=("a.txt", b"hello"), purpose="user_data"),
    "a file of other bytes": lambda client: client.files.create(file=("a.txt", b"hullo"), purpose="user_data"),
    "a file of another name": lambda client: client.files.create(file=("b.txt", b"hello"), purpose="user_data"),
    "an open file": lambda client: client.files.create(file=io.BytesIO(b"hello"), purpose="user_data"),
    "no body": lambda client: client.models.list(),
}
ANTHROPIC: Final[dict[str, Ask]] = {
    "a question": _message(),
    "a stream": _message(stream=True),
    "more tokens": _message(max_tokens=17),
    "a system prompt": _message(system="Be brief."),
    "a system prompt in parts": _message(system=[{"type": "text", "text": "Be brief."}]),
    "no stops": _message(stop_sequences=[]),
    "not given": _message(system=anthropic.NOT_GIVEN),
    "tools": _message(tools=[_TOOL]),
    "a tool choice": _message(tools=[_TOOL], tool_choice={"type": "any"}),
    "thinking": _message(thinking={"type": "enabled", "budget_tokens": 1024}, max_tokens=2048),
    "an image": _message(
        messages=[
            {
                "role": "user",
                "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": _IMAGE}}],
            }
        ]
    ),
    "one beta": _beta("files-api-2025-04-14"),
    "two betas": _beta("files-api-2025-04-14,context-1m-2025-08-07"),
    "counted tokens": lambda client: client.messages.count_tokens(
        model="claude-sonnet-4-5", messages=[{"role": "user", "content": "hi"}]
    ),
    "one model": lambda client: client.models.retrieve("claude-sonnet-4-5"),
}
