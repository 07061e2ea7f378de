"""Token counts of the Anthropic API: cache reads and writes come on top of `input_tokens`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from intercept.spi import JSON, Call, Contradiction, Usage
from intercept_stainless.counts import count, part

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
            several.append(_usage(part(body, "model_usage")))
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
    read = count(told, "cache_read_input_tokens")
    write = _written(told)
    return Usage(
        input=count(told, "input_tokens") + read + write,
        cache_read=read,
        cache_write=write,
        output=count(told, "output_tokens"),
        reasoning=count(part(told, "output_tokens_details"), "thinking_tokens"),
    )


def _written(told: Mapping[str, JSON]) -> int:
    """Read what was written to the cache: the whole, and its parts by how long they are kept."""
    parts = part(told, "cache_creation")
    parted = sum(count(parts, name) for name in _WRITES)
    if told.get("cache_creation_input_tokens") is None:
        return parted
    whole = count(told, "cache_creation_input_tokens")
    if parts and parted != whole:
        raise Contradiction(f"{whole} tokens written to a cache, and {parted} in parts")
    return whole
