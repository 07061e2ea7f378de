"""The models of OpenAI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import reply
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_NAMES = ("gpt-4.1", "gpt-4.1-mini", "gpt-4o", "gpt-4o-mini", "gpt-5", "gpt-5-mini", "text-embedding-3-small")
_MODELS: dict[str, JSONObject] = {
    name: {"id": name, "object": "model", "created": 1_700_000_000 + place, "owned_by": "system"}
    for place, name in enumerate(_NAMES)
}


def listing(ask: Ask) -> Answer:
    """``GET /v1/models``: all at once, as this list has no pages."""
    return reply(ask, {"object": "list", "data": list(_MODELS.values())})


def retrieve(ask: Ask) -> Answer:
    """``GET /v1/models/{id}``."""
    if ask.name not in _MODELS:
        raise Refused(404, f"The model '{ask.name}' does not exist", param=None)
    return reply(ask, _MODELS[ask.name])


def delete(ask: Ask) -> Answer:
    """``DELETE /v1/models/{id}``: only a fine-tuned one, and those are known by their name alone."""
    if not ask.name.startswith("ft:"):
        raise Refused(404, f"The model '{ask.name}' does not exist", param=None)
    return reply(ask, {"id": ask.name, "object": "model", "deleted": True})
