"""Images: one white pixel for any prompt, made or edited, whole or as it takes shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import reply, stream
from intercept.loopback.prose import tokens
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII="  # a 1x1 PNG


def create(ask: Ask) -> Answer:
    """``POST /v1/images/generations``."""
    return _made(ask, ask.body, "image_generation", given_images=0)


def edit(ask: Ask) -> Answer:
    """``POST /v1/images/edits``."""
    if ask.upload is None:
        raise Refused(400, None, param="image")
    return _made(ask, dict(ask.upload.fields), "image_edit", given_images=1)


def _made(ask: Ask, asked: JSONObject, kind: str, *, given_images: int) -> Answer:
    if not asked.get("prompt"):
        raise Refused(400, None, param="prompt")
    text = tokens(asked["prompt"])
    usage = {
        "input_tokens": text + given_images,
        "input_tokens_details": {"image_tokens": given_images, "text_tokens": text},
        "output_tokens": 1,
        "total_tokens": text + given_images + 1,
    }
    look = {"background": "opaque", "output_format": "png", "quality": "medium", "size": "1024x1024"}
    look |= {name: value for name, value in asked.items() if name in look and value != "auto"}
    if asked.get("stream") in (True, "true"):
        return stream(ask, _events(ask, kind, int(asked.get("partial_images") or 0), {**look, "usage": usage}))
    images = [{"b64_json": _PIXEL} for _ in range(int(asked.get("n") or 1))]
    return reply(ask, {"created": ask.mint.seconds, **look, "data": images, "usage": usage})


def _events(ask: Ask, kind: str, partial: int, whole: JSONObject) -> Iterator[tuple[str | None, object]]:
    image = {"b64_json": _PIXEL, "created_at": ask.mint.seconds}
    shown = {name: value for name, value in whole.items() if name != "usage"}
    for index in range(partial):
        name = f"{kind}.partial_image"
        yield name, {"type": name, **image, "partial_image_index": index, **shown}
    yield f"{kind}.completed", {"type": f"{kind}.completed", **image, **whole}
