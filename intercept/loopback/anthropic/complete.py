"""Text completions, the older endpoint, whole and streamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.anthropic.replies import reply, stream
from intercept.loopback.jsontypes import as_text
from intercept.loopback.plan import Asked, plan
from intercept.loopback.prose import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def create(ask: Ask) -> Answer:
    """``POST /v1/complete``."""
    given = as_text(ask.body["prompt"]).removeprefix("\n\nHuman:").removesuffix("\n\nAssistant:").strip()
    text = f" {plan(Asked(given), str(ask.turn)).text}"
    about: JSONObject = {
        "type": "completion",
        "id": ask.mint.base62("compl_01", 22),
        "completion": text,
        "stop_reason": "stop_sequence",
        "model": ask.model,
        "stop": "\n\nHuman:",
        "log_id": ask.mint.base62("compl_01", 22),
    }
    return stream(ask, _events(about)) if ask.body.get("stream") else reply(ask, about)


def _events(whole: JSONObject) -> Iterator[tuple[str | None, object]]:
    open_end = {"stop_reason": None, "stop": None}
    for word in words(whole["completion"]):
        yield "completion", {**whole, "completion": word, **open_end}
    yield "ping", {"type": "ping"}
    yield "completion", {**whole, "completion": ""}
