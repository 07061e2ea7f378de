"""Images: generated, edited, and as they take shape."""

from __future__ import annotations

import base64
from typing import Any

from tests.conformance.callers import settled
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(64))


@viewed("openai", streams=True)
async def images(_client: Any) -> Asked:
    return asked("images.generate", model="gpt-image-1", prompt="a cat", size="1024x1024")


@viewed("openai", streams=True, variant=True)
async def images_partial(_client: Any) -> Asked:
    return asked("images.generate", model="gpt-image-1", prompt="a cat", extra_body={"partial_images": 2})


@viewed("openai", streams=True)
async def images_edit(_client: Any) -> Asked:
    return asked("images.edit", model="gpt-image-1", prompt="a dog", image=("cat.png", PNG, "image/png"))


@operation("openai")
async def images_edit_of_several(client: Any) -> Any:
    given = [("one.png", PNG, "image/png"), ("two.png", PNG[::-1], "image/png")]
    mask = ("mask.png", PNG[:20], "image/png")
    made = await settled(client.images.edit(model="gpt-image-1", prompt="both", image=given, mask=mask, n=2))
    return [made, [base64.b64decode(image.b64_json) for image in made.data]]
