"""Vector stores, and the pollers of their files."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.files import made
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed


async def _store(client: Any, *texts: bytes) -> Any:
    files = [(await made(client, f"{number}.txt", text)).id for number, text in enumerate(texts)]
    return await settled(client.vector_stores.create(name="mine", file_ids=files, metadata={"of": "mine"}))


@viewed("openai")
async def vector_stores_create(_client: Any) -> Asked:
    return asked("vector_stores.create", name="mine", expires_after={"anchor": "last_active_at", "days": 7})


@viewed("openai", pages=True)
async def vector_stores_list(client: Any) -> Asked:
    for _ in range(3):
        await _store(client)
    return asked("vector_stores.list", limit=2, order="asc")


@viewed("openai")
async def vector_stores_retrieve(client: Any) -> Asked:
    return asked("vector_stores.retrieve", (await _store(client, b"one")).id)


@viewed("openai")
async def vector_stores_search(client: Any) -> Asked:
    store = await _store(client, b"the cat sat", b"a dog ran")
    return asked("vector_stores.search", store.id, query="cat", max_num_results=1)


@operation("openai")
async def vector_stores_changed(client: Any) -> Any:
    name = (await _store(client)).id
    return [
        await settled(client.vector_stores.update(name, name="yours")),
        await settled(client.vector_stores.delete(name)),
    ]


@operation("openai")
async def vector_store_file(client: Any) -> Any:
    """Taken in and waited for, twice over: the SDK's own pollers."""
    store = (await _store(client)).id
    of = client.vector_stores.files
    one = await made(client, "one.txt", b"the cat sat")
    polled = await settled(of.create_and_poll(one.id, vector_store_id=store, attributes={"mine": 1}))
    uploaded = await settled(of.upload_and_poll(vector_store_id=store, file=("two.txt", b"a dog ran")))
    assert [polled.status, uploaded.status] == ["completed", "completed"]
    return [
        polled,
        uploaded,
        await each(of.list(store, limit=1)),
        await each(of.content(one.id, vector_store_id=store)),
        await settled(of.update(one.id, vector_store_id=store, attributes={"mine": 2})),
        await each(client.vector_stores.search(store, query="cat")),
        await settled(of.delete(one.id, vector_store_id=store)),
        await settled(client.vector_stores.retrieve(store)),
    ]


@viewed("openai")
async def vector_store_file_retrieve(client: Any) -> Asked:
    store = await _store(client, b"one")
    [file] = await each(client.vector_stores.files.list(store.id))
    return asked("vector_stores.files.retrieve", file.id, vector_store_id=store.id)


@operation("openai")
async def vector_store_file_batch(client: Any) -> Any:
    store = (await _store(client)).id
    of = client.vector_stores.file_batches
    names = [(await made(client, f"{number}.txt", bytes([number]))).id for number in range(3)]
    polled = await settled(of.create_and_poll(store, file_ids=names))
    # One: in which order several go into the batch is by the SDK's threads, and differs from run to run.
    uploaded = await settled(of.upload_and_poll(store, files=[("a.txt", b"a")]))
    begun = await settled(of.create(store, file_ids=names[:1]))
    cancelled = await settled(of.cancel(begun.id, vector_store_id=store))
    assert [polled.status, uploaded.status, cancelled.status] == ["completed", "completed", "cancelled"]
    return [
        polled,
        uploaded,
        cancelled,
        await settled(of.retrieve(polled.id, vector_store_id=store)),
        await each(of.list_files(polled.id, vector_store_id=store, limit=2)),
    ]
