"""Token counts of the Anthropic API: cache reads and writes come on top of `input_tokens`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from intercept.spi import JSON, Call, Usage

USAGE_SEMANTICS: Final = "anthropic-cache-additive-v1"


def read_usage(_call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
    """Read the usage of a message: `message_start` tells the prompt, the last `message_delta` the output."""
    told: dict[str, int] = {}
    for body in bodies:
        message = body.get("message")
        usage = body.get("usage") or (message.get("usage") if isinstance(message, dict) else None)
        if isinstance(usage, dict):
            told.update({name: value for name, value in usage.items() if isinstance(value, int)})
        elif isinstance(body.get("input_tokens"), int) and "type" not in body:  # count_tokens
            return None
    if not told:
        return None
    read, write = told.get("cache_read_input_tokens", 0), told.get("cache_creation_input_tokens", 0)
    counted = Usage(cache_read=read, cache_write=write, output=told.get("output_tokens", 0))
    return replace(counted, input=told.get("input_tokens", 0) + read + write)
