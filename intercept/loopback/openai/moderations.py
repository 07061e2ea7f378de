"""Moderations: an input is flagged when it names one of the categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, compact
from intercept.loopback.openai.replies import reply

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_CATEGORIES = (
    "harassment",
    "harassment/threatening",
    "hate",
    "hate/threatening",
    "illicit",
    "illicit/violent",
    "self-harm",
    "self-harm/instructions",
    "self-harm/intent",
    "sexual",
    "sexual/minors",
    "violence",
    "violence/graphic",
)


def create(ask: Ask) -> Answer:
    """``POST /v1/moderations``: one result per text; one for all parts of a mixed input."""
    given = ask.body["input"]
    texts = as_list(given) if as_list(given) and isinstance(given[0], str) else [given]
    model = str(ask.body.get("model") or "omni-moderation-latest")
    results = [_result(compact(text).lower()) for text in texts]
    return reply(ask, {"id": ask.mint.base62("modr-", 29), "model": model, "results": results})


def _result(text: str) -> JSONObject:
    found = {name: name in text for name in _CATEGORIES}
    return {
        "flagged": any(found.values()),
        "categories": found,
        "category_scores": {name: 0.95 if hit else 0.00001 for name, hit in found.items()},
        "category_applied_input_types": {name: ["text"] for name in _CATEGORIES},
    }
