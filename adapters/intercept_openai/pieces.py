"""Which texts the OpenAI API sends piece by piece, as openai-python 3.57 types its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from intercept.spi import JSON, Piece

_PLACE: Final = ("item_id", "output_index", "content_index", "summary_index")
"""What tells the texts of one response apart."""
_TOLD_BESIDE: Final[Mapping[str, JSON]] = {"bytes": None, "top_logprobs": []}
"""What a token's log probability repeats of it."""


def pieces(body: Mapping[str, JSON]) -> Iterator[Piece]:
    """Name the pieces in one event, or in one whole answer: log probabilities are told token by token there too."""
    choices = body.get("choices")
    if isinstance(choices, list):
        for number, choice in enumerate(choices):
            if isinstance(choice, dict):
                yield from _choice(number, choice)
        return
    kind = body.get("type")
    if not isinstance(kind, str):
        yield from _thread(body)
        return
    if kind.endswith(".delta") and isinstance(body.get("delta"), str) and "audio.delta" not in kind:
        yield Piece((kind, *(_plain(body.get(name)) for name in _PLACE)), ("delta",))
    yield from _tokens(body, (kind, *(_plain(body.get(name)) for name in _PLACE)), ())


def _choice(number: int, choice: Mapping[str, JSON]) -> Iterator[Piece]:
    """Name the pieces of a choice of chat completions, or of legacy ones."""
    index = _plain(choice.get("index", number))
    if isinstance(choice.get("text"), str):
        yield Piece(("text", index), ("choices", number, "text"))
    delta = choice.get("delta")
    if isinstance(delta, dict):
        for name, value in delta.items():
            if isinstance(value, str) and name != "role":  # content, refusal, and what compatible hosts add
                yield Piece((name, index), ("choices", number, "delta", name))
        if isinstance(function := delta.get("function_call"), dict):
            yield from _strings(function, ("function", index), ("choices", number, "delta", "function_call"))
        if isinstance(audio := delta.get("audio"), dict) and isinstance(audio.get("transcript"), str):
            yield Piece(("transcript", index), ("choices", number, "delta", "audio", "transcript"))
        for place, call in _objects(delta.get("tool_calls")):
            for kind in ("function", "custom"):
                if isinstance(inside := call.get(kind), dict):
                    at: tuple[str | int, ...] = ("choices", number, "delta", "tool_calls", place, kind)
                    yield from _strings(inside, ("tool", index, _plain(call.get("index", place))), at)
    logprobs = choice.get("logprobs")
    if isinstance(logprobs, dict):
        for part in ("content", "refusal"):
            yield from _tokens(logprobs, ("logprobs", index, part), ("choices", number, "logprobs"), part)


def _strings(value: Mapping[str, JSON], channel: tuple[Any, ...], path: tuple[str | int, ...]) -> Iterator[Piece]:
    for name in ("name", "arguments", "input"):
        if isinstance(value.get(name), str):
            yield Piece((*channel, name), (*path, name))


def _tokens(
    value: Mapping[str, JSON], channel: tuple[Any, ...], path: tuple[str | int, ...], name: str = "logprobs"
) -> Iterator[Piece]:
    for number, token in _objects(value.get(name)):
        if isinstance(token.get("token"), str):
            yield Piece((*channel, name), (*path, name, number, "token"), _TOLD_BESIDE)


def _thread(body: Mapping[str, JSON]) -> Iterator[Piece]:
    """Name the pieces of a delta of the Assistants API: of a message, or of a step of a run."""
    delta, thread = body.get("delta"), _plain(body.get("id"))
    if not isinstance(delta, dict):
        return
    for number, part in _objects(delta.get("content")):
        for kind in ("text", "refusal"):
            at: tuple[str | int, ...] = ("delta", "content", number, kind)
            if isinstance(inside := part.get(kind), dict) and isinstance(inside.get("value"), str):
                yield Piece((thread, kind, _plain(part.get("index"))), (*at, "value"))
            elif isinstance(inside, str):
                yield Piece((thread, kind, _plain(part.get("index"))), at)
    details = delta.get("step_details")
    for number, call in _objects(details.get("tool_calls") if isinstance(details, dict) else None):
        for kind in ("function", "code_interpreter"):
            if isinstance(inside := call.get(kind), dict):
                path = ("delta", "step_details", "tool_calls", number, kind)
                yield from _strings(inside, (thread, "step", _plain(call.get("index"))), path)


def _objects(value: JSON) -> Iterator[tuple[int, Mapping[str, JSON]]]:
    for number, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield number, item


def _plain(value: JSON) -> str | int | None:
    """Return what can be part of a channel's name."""
    return value if isinstance(value, (str, int)) else None
