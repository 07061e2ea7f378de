"""Token counts of the OpenAI API: cached and reasoning tokens are part of the counts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from intercept.spi import JSON, Call, Usage

USAGE_SEMANTICS: Final = "openai-cache-subset-v1"


def read_usage(_call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
    """Read the last usage told: `prompt_tokens` (chat, embeddings) or `input_tokens` (responses) and their details."""
    found: Usage | None = None
    for body in bodies:
        nested = body.get("response")
        usage = body.get("usage") or (nested.get("usage") if isinstance(nested, dict) else None)
        if isinstance(usage, dict):
            found = _usage(usage)
    return found


def _usage(usage: Mapping[str, JSON]) -> Usage:
    into = _details(usage, "prompt_tokens_details", "input_tokens_details")
    out = _details(usage, "completion_tokens_details", "output_tokens_details")
    return Usage(
        input=_count(usage, "prompt_tokens") or _count(usage, "input_tokens"),
        cache_read=_count(into, "cached_tokens"),
        cache_write=_count(into, "cache_write_tokens"),
        output=_count(usage, "completion_tokens") or _count(usage, "output_tokens"),
        reasoning=_count(out, "reasoning_tokens"),
    )


def _details(usage: Mapping[str, JSON], *names: str) -> Mapping[str, JSON]:
    for name in names:
        details = usage.get(name)
        if isinstance(details, dict):
            return details
    return {}


def _count(counts: Mapping[str, JSON], name: str) -> int:
    value = counts.get(name)
    return value if isinstance(value, int) and value > 0 else 0
