"""Vector stores, their files, and uploads in parts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import openai
import pytest

if TYPE_CHECKING:
    from .clients import Clients


def test_the_sdk_polls_a_file_until_it_is_taken_in(clients: Clients) -> None:
    """It is asked to come back soon, so that nobody sleeps; counts and bytes of the store follow."""
    client = clients.openai()
    store = client.vector_stores.create(name="mine")
    began = time.perf_counter()
    file = client.vector_stores.files.upload_and_poll(vector_store_id=store.id, file=("a.txt", b"the cat sat"))
    took = time.perf_counter() - began
    counted = client.vector_stores.retrieve(store.id)

    assert (file.status, file.usage_bytes) == ("completed", 11)
    assert (counted.file_counts.completed, counted.file_counts.total, counted.usage_bytes) == (1, 1, 11)
    assert took < 0.5


def test_a_search_finds_the_file_that_shares_words_with_the_question(clients: Clients) -> None:
    """The best first, with its text and attributes."""
    client = clients.openai()
    cat, dog = (
        client.files.create(file=(f"{name}.txt", text), purpose="assistants").id
        for name, text in (("cat", b"the cat sat"), ("dog", b"a dog ran"))
    )
    store = client.vector_stores.create(file_ids=[cat])
    client.vector_stores.files.create(store.id, file_id=dog, attributes={"tail": "wags"})
    found = list(client.vector_stores.search(store.id, query="a dog"))
    text = list(client.vector_stores.files.content(dog, vector_store_id=store.id))

    assert [(result.file_id, result.score, result.attributes) for result in found] == [
        (dog, 1.0, {"tail": "wags"}),
        (cat, 0.0, {}),
    ]
    assert [part.text for part in text] == ["a dog ran"]


def test_files_come_and_go_in_batches(clients: Clients) -> None:
    """All attached at once; those still being worked on can be cancelled; one file is in two stores by the same id."""
    client = clients.openai()
    files = [client.files.create(file=(f"{n}.txt", b"x"), purpose="assistants").id for n in range(3)]
    store, other = (client.vector_stores.create().id for _ in range(2))
    of = client.vector_stores.file_batches
    done = of.create_and_poll(store, file_ids=files)
    cancelled = of.cancel(of.create(other, file_ids=files[:1]).id, vector_store_id=other)
    client.vector_stores.files.delete(files[0], vector_store_id=store)

    assert (done.status, done.file_counts.completed) == ("completed", 3)
    assert (cancelled.status, cancelled.file_counts.cancelled) == ("cancelled", 1)
    assert [file.id for file in client.vector_stores.files.list(store, order="asc", limit=1)] == files[1:]
    assert [file.status for file in client.vector_stores.files.list(other)] == ["cancelled"]


def test_a_store_is_changed_listed_and_deleted(clients: Clients) -> None:
    """In pages, newest first unless asked otherwise."""
    client = clients.openai()
    names = [client.vector_stores.create(name=name).id for name in "abc"]
    changed = client.vector_stores.update(names[0], name="z", metadata={"of": "mine"})
    client.vector_stores.delete(names[1])

    assert (changed.name, changed.metadata) == ("z", {"of": "mine"})
    assert [store.id for store in client.vector_stores.list(limit=1)] == [names[2], names[0]]
    assert [store.id for store in client.vector_stores.list(order="asc")] == [names[0], names[2]]
    with pytest.raises(openai.NotFoundError, match="No vector store found"):
        client.vector_stores.retrieve(names[1])


def test_an_upload_in_parts_is_one_file(clients: Clients) -> None:
    """The parts in the order that is named at the end; what does not add up, or was given up, is refused."""
    client = clients.openai()
    upload, other = (
        client.uploads.create(filename="a.txt", bytes=6, mime_type="text/plain", purpose="assistants") for _ in range(2)
    )
    parts = [client.uploads.parts.create(upload.id, data=("p", data)).id for data in (b"def", b"abc")]
    with pytest.raises(openai.BadRequestError, match="3 bytes, but 6"):
        client.uploads.complete(upload.id, part_ids=parts[:1])
    done = client.uploads.complete(upload.id, part_ids=parts[::-1])
    client.uploads.cancel(other.id)

    assert done.file is not None
    assert client.files.content(done.file.id).read() == b"abcdef"
    with pytest.raises(openai.BadRequestError, match="is cancelled"):
        client.uploads.parts.create(other.id, data=("p", b"x"))
