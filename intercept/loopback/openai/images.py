"""Images: one white pixel for any prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import reply
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII="  # a 1x1 PNG


def create(ask: Ask) -> Answer:
    """``POST /v1/images/generations``."""
    given = tokens(ask.body["prompt"])
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"image_tokens": 0, "text_tokens": given},
        "output_tokens": 1,
        "total_tokens": given + 1,
    }
    images = [{"b64_json": _PIXEL} for _ in range(int(ask.body.get("n") or 1))]
    return reply(ask, {"created": ask.mint.seconds, "data": images, "usage": usage})
