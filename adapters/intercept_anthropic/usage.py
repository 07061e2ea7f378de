"""Token counts of the Anthropic API: cache reads and writes come on top of `input_tokens`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from intercept.spi import JSON, Call, Contradiction, Usage

USAGE_SEMANTICS: Final = "anthropic-cache-additive-v1"

_WRITES: Final = ("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")


def read_usage(call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
    """Read the usage of a message, of all messages of a batch, or of all requests that an agent's session made.

    In a stream `message_start` tells the prompt, and the last `message_delta` the output and what changed.
    """
    told: dict[str, JSON] = {}
    several: list[Usage] = []
    for body in bodies:
        result = body.get("result")
        if isinstance(result, dict):  # one line of a batch's results
            answered = _told(result)
            several += [_usage(answered)] if answered else []
        elif body.get("type") == "span.model_request_end":
            several.append(_usage(_part(body, "model_usage")))
        elif call.method != "GET":  # else it shows an answer, or the sum of a session, once more
            told.update({name: value for name, value in _told(body).items() if value is not None})
    if several:
        return sum(several, Usage())
    return _usage(told) if told else None


def _told(body: Mapping[str, JSON]) -> Mapping[str, JSON]:
    message = body.get("message")
    usage = body.get("usage") or (message.get("usage") if isinstance(message, dict) else None)
    return usage if isinstance(usage, dict) else {}


def _usage(told: Mapping[str, JSON]) -> Usage:
    read = _count(told, "cache_read_input_tokens")
    write = _written(told)
    return Usage(
        input=_count(told, "input_tokens") + read + write,
        cache_read=read,
        cache_write=write,
        output=_count(told, "output_tokens"),
        reasoning=_count(_part(told, "output_tokens_details"), "thinking_tokens"),
    )


def _written(told: Mapping[str, JSON]) -> int:
    """Read what was written to the cache: the whole, and its parts by how long they are kept."""
    parts = _part(told, "cache_creation")
    parted = sum(_count(parts, name) for name in _WRITES)
    if told.get("cache_creation_input_tokens") is None:
        return parted
    whole = _count(told, "cache_creation_input_tokens")
    if parts and parted != whole:
        raise Contradiction(f"{whole} tokens written to a cache, and {parted} in parts")
    return whole


def _part(told: Mapping[str, JSON], name: str) -> Mapping[str, JSON]:
    part = told.get(name)
    return part if isinstance(part, dict) else {}


def _count(counts: Mapping[str, JSON], name: str) -> int:
    value = counts.get(name)
    if value is None:
        return 0
    if not isinstance(value, int):
        raise Contradiction(f"{name} is {value!r:.40}")
    return value
