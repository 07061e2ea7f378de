"""The models of Anthropic, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.anthropic.replies import reply
from intercept.loopback.paging import page
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PAGE = 20
_NAMES = {
    "claude-opus-4-1-20250805": "Claude Opus 4.1",
    "claude-opus-4-20250514": "Claude Opus 4",
    "claude-sonnet-4-20250514": "Claude Sonnet 4",
    "claude-3-7-sonnet-20250219": "Claude Sonnet 3.7",
    "claude-3-5-haiku-20241022": "Claude Haiku 3.5",
}
_MODELS: dict[str, JSONObject] = {
    name: {
        "type": "model",
        "id": name,
        "display_name": shown,
        "created_at": f"{name[-8:-4]}-{name[-4:-2]}-{name[-2:]}T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": 200_000,
        "max_tokens": 32_000,
    }
    for name, shown in _NAMES.items()
}


def listing(ask: Ask) -> Answer:
    """``GET /v1/models``."""
    return reply(ask, page(ask, list(_MODELS.values()), _PAGE).body())


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/models/{id}``."""
    if ask.name not in _MODELS:
        raise Refused(404, f"model: {ask.name}")
    return reply(ask, _MODELS[ask.name])
