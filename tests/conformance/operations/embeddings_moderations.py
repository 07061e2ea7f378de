"""Embeddings and moderations."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import settled
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

MODEL = "text-embedding-3-small"


@operation("openai")
async def embeddings(client: Any) -> Any:
    default = await settled(client.embeddings.create(model="text-embedding-3-small", input=["one", "two"]))
    floats = await settled(
        client.embeddings.create(model="text-embedding-3-small", input="one", encoding_format="float")
    )
    raw = await settled(client.embeddings.with_raw_response.create(model="text-embedding-3-small", input="three"))
    return [default, floats, raw.http_response.read(), raw.parse()]


@viewed("openai")
async def embeddings_as_ever(_client: Any) -> Asked:
    return asked("embeddings.create", model=MODEL, input=["one", "two"])


@viewed("openai", variant=True)
async def embeddings_packed(_client: Any) -> Asked:
    return asked("embeddings.create", model=MODEL, input="one", encoding_format="base64", dimensions=8)


@viewed("openai", variant=True)
async def embeddings_floats(_client: Any) -> Asked:
    return asked("embeddings.create", model=MODEL, input=[[1, 2], [3]], encoding_format="float")


@viewed("openai")
async def moderations(_client: Any) -> Asked:
    return asked("moderations.create", input=["peace", "violence"], model="omni-moderation-latest")


@operation("openai")
async def moderations_of_parts(client: Any) -> Any:
    image = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    return await settled(client.moderations.create(input=[{"type": "text", "text": "violence"}, image]))
