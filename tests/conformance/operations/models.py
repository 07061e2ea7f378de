"""The models of either provider."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed


@operation("openai")
async def models(client: Any) -> Any:
    page = await settled(client.models.list())
    return [page, await settled(client.models.retrieve(page.data[0].id)), await each(client.models.list())]


@viewed("openai")
async def models_list(_client: Any) -> Asked:
    return asked("models.list")


@viewed("openai")
async def models_retrieve(_client: Any) -> Asked:
    return asked("models.retrieve", "gpt-4o")


@viewed("openai")
async def models_delete(_client: Any) -> Asked:
    return asked("models.delete", "ft:gpt-4o:mine::1")


@operation("anthropic")
async def model_pages(client: Any) -> Any:
    return await each(client.models.list(limit=2))


@viewed("anthropic", pages=True)
async def message_models(_client: Any) -> Asked:
    return asked("models.list", limit=2)


@viewed("anthropic", pages=True)
async def beta_models(_client: Any) -> Asked:
    return asked("beta.models.list", limit=3, betas=["models-2025-01-01"])


@operation("anthropic")
async def model_pages_backwards(client: Any) -> Any:
    first = await settled(client.models.list(limit=4))
    return await each(client.models.list(limit=2, before_id=first.last_id))


@viewed("anthropic")
async def message_model(_client: Any) -> Asked:
    return asked("models.retrieve", "claude-sonnet-4-20250514")
