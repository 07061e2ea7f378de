"""Token counts of the OpenAI API: cached and reasoning tokens are part of the counts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from intercept.spi import JSON, Call, Usage
from intercept_stainless.counts import count, part

USAGE_SEMANTICS: Final = "openai-cache-subset-v1"

_TOLD_LATER: Final = frozenset({"thread.run", "batch"})
"""Objects whose usage nobody tells before they are asked for again."""

_TURN_ENDS: Final = frozenset(f"agent.session.turn.{end}" for end in ("completed", "failed", "cancelled"))
"""Events that tell what one turn of an agent took."""


def read_usage(call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
    """Read the last usage told: `prompt_tokens` (chat, embeddings) or `input_tokens` (all others) and their details.

    Events of an agent's session tell it turn by turn.
    """
    last: Usage | None = None
    turns: list[Usage] = []
    for body in bodies:
        answer = part(body, "response") or body
        told = part(body, "usage") or part(answer, "usage")
        if str(body.get("type")) in _TURN_ENDS:
            turns += filter(None, [_usage(told)])
        elif _is_news(call, answer):
            last = _usage(told) or last
    return sum(turns, Usage()) if turns else last


def _is_news(call: Call, answer: Mapping[str, JSON]) -> bool:
    """Whether an answer tells its usage for the first time, and all of it: a step of a run tells a part."""
    kind = answer.get("object")
    if kind == "thread.run.step":
        return False
    return call.method != "GET" or kind in _TOLD_LATER or answer.get("background") is True


def _usage(told: Mapping[str, JSON]) -> Usage | None:
    if "prompt_tokens" not in told and "input_tokens" not in told:
        return None  # nothing, or another measure such as seconds of audio
    into = part(told, "prompt_tokens_details", "input_tokens_details")
    out = part(told, "completion_tokens_details", "output_tokens_details")
    return Usage(
        input=count(told, "prompt_tokens", "input_tokens"),
        cache_read=count(into, "cached_tokens"),
        cache_write=count(into, "cache_write_tokens"),
        output=count(told, "completion_tokens", "output_tokens"),
        reasoning=count(out, "reasoning_tokens"),
    )
