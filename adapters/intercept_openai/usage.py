"""Token counts of the OpenAI API: cached and reasoning tokens are part of the counts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from intercept.spi import JSON, Call, Contradiction, Usage

USAGE_SEMANTICS: Final = "openai-cache-subset-v1"

_TOLD_LATER: Final = frozenset({"thread.run", "batch"})
"""Objects whose usage nobody tells before they are asked for again."""

_TURN_ENDS: Final = frozenset(f"agent.session.turn.{end}" for end in ("completed", "failed", "cancelled"))
"""Events that tell what one turn of an agent took."""


def read_usage(call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
    """Read the last usage told: `prompt_tokens` (chat, embeddings) or `input_tokens` (all others) and their details.

    Events of an agent's session tell it turn by turn.
    """
    found: Usage | None = None
    for body in bodies:
        if str(body.get("type")) in _TURN_ENDS:
            turn = _details(body, "usage")
            found = (found or Usage()) + (_usage(turn) or Usage()) if turn else found
            continue
        nested = body.get("response")
        answer = nested if isinstance(nested, dict) else body
        usage = body.get("usage") or answer.get("usage")
        if isinstance(usage, dict) and _is_news(call, answer):
            found = _usage(usage) or found
    return found


def _is_news(call: Call, answer: Mapping[str, JSON]) -> bool:
    """Whether an answer tells its usage for the first time, and all of it: a step of a run tells a part."""
    kind = answer.get("object")
    if kind == "thread.run.step":
        return False
    return call.method != "GET" or kind in _TOLD_LATER or answer.get("background") is True


def _usage(usage: Mapping[str, JSON]) -> Usage | None:
    into = _details(usage, "prompt_tokens_details", "input_tokens_details")
    out = _details(usage, "completion_tokens_details", "output_tokens_details")
    if "prompt_tokens" not in usage and "input_tokens" not in usage:
        return None  # another measure, such as seconds of audio
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
    if value is None:
        return 0
    if not isinstance(value, int):
        raise Contradiction(f"{name} is {value!r:.40}")
    return value
