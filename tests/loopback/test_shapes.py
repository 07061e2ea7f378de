"""Every default reply holds every field the SDKs' models require; their lenient parsing would hide a missing one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .weather import CHAT_TOOLS, MESSAGES_TOOLS, PARAMETERS, RESPONSES_TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic import BaseModel

    from .clients import Clients


def _chat(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    yield client.chat.completions.create(model="m", n=2, messages=[{"role": "user", "content": "hi"}])
    yield client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "hi"}],
        tools=CHAT_TOOLS,
    )
    yield from client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "hi"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    yield from client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "hi"}],
        tools=CHAT_TOOLS,
        stream=True,
    )


def _azure(to: Clients) -> Iterable[BaseModel]:
    client = to.azure()
    yield client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    yield from client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}], stream=True)
    yield client.embeddings.create(model="m", input="hi")


def _responses(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    made = client.responses.create(model="m", input="hi", instructions="Be brief.")
    yield made
    yield client.responses.retrieve(made.id)
    yield client.responses.cancel(made.id)
    yield client.responses.create(
        model="m",
        input="hi",
        tools=RESPONSES_TOOLS,
    )
    yield from client.responses.create(model="m", input=[{"role": "user", "content": "hi"}], stream=True)
    yield from client.responses.create(
        model="m",
        input="hi",
        tools=RESPONSES_TOOLS,
        stream=True,
    )
    yield client.responses.create(
        model="m",
        input="hi",
        text={"format": {"type": "json_schema", "name": "weather", "schema": PARAMETERS}},
    )


def _messages(to: Clients) -> Iterable[BaseModel]:
    client = to.anthropic()
    yield client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}])
    yield client.beta.messages.create(
        model="m",
        max_tokens=2000,
        messages=[{"role": "user", "content": "hi"}],
        thinking={"type": "enabled", "budget_tokens": 1024},
        tools=MESSAGES_TOOLS,
    )
    yield from client.messages.create(
        model="m",
        max_tokens=2000,
        messages=[{"role": "user", "content": "hi"}],
        thinking={"type": "enabled", "budget_tokens": 1024},
        tools=MESSAGES_TOOLS,
        stream=True,
    )
    yield from client.beta.messages.create(
        model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}], stream=True
    )
    yield client.messages.count_tokens(model="m", messages=[{"role": "user", "content": "hi there"}])
    yield from client.models.list()
    yield client.models.retrieve("claude-sonnet-4-20250514")


def _others(to: Clients) -> Iterable[BaseModel]:
    # Chunks of text completions are left out: the API sends "finish_reason": null, which their model does not allow.
    client = to.openai()
    yield client.completions.create(model="m", prompt="hi", n=2)
    yield client.embeddings.create(model="m", input=["a", "b"])
    yield client.embeddings.create(model="m", input="a", encoding_format="float")
    yield client.moderations.create(input=["hi", "violence"])
    yield from client.models.list()
    yield client.models.retrieve("gpt-4o")
    yield client.images.generate(prompt="a cat", model="gpt-image-1")
    yield client.audio.transcriptions.create(model="whisper-1", file=("a.mp3", b"ID3"))


def _files(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    made = client.files.create(file=("a.jsonl", b"{}"), purpose="batch")
    yield made
    yield from client.files.list()
    yield client.files.delete(made.id)
    other = to.anthropic()
    upload = other.beta.files.upload(file=("a.txt", b"hi", "text/plain"))
    yield upload
    yield from other.beta.files.list()
    yield other.beta.files.retrieve_metadata(upload.id)
    yield other.beta.files.delete(upload.id)


def _stores(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    file = client.files.create(file=("a.txt", b"hi"), purpose="assistants")
    store = client.vector_stores.create(name="mine", file_ids=[file.id])
    yield store
    yield from client.vector_stores.list()
    yield from client.vector_stores.files.list(store.id)
    yield client.vector_stores.file_batches.create(store.id, file_ids=[file.id])
    yield from client.vector_stores.search(store.id, query="hi")
    yield from client.vector_stores.files.content(file.id, vector_store_id=store.id)
    yield client.vector_stores.delete(store.id)
    upload = client.uploads.create(filename="a", bytes=1, mime_type="text/plain", purpose="assistants")
    yield upload
    part = client.uploads.parts.create(upload.id, data=("p", b"x"))
    yield part
    yield client.uploads.complete(upload.id, part_ids=[part.id])


def _jobs(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    file = client.files.create(file=("a.jsonl", b"{}"), purpose="fine-tune")
    yield client.batches.create(input_file_id=file.id, endpoint="/v1/responses", completion_window="24h")
    job = client.fine_tuning.jobs.create(model="m", training_file=file.id)
    yield job
    for _ in range(3):
        yield client.fine_tuning.jobs.retrieve(job.id)
    yield from client.fine_tuning.jobs.list_events(job.id)
    yield from client.fine_tuning.jobs.checkpoints.list(job.id)
    batches = to.anthropic().messages.batches
    params: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
    requests: Any = [{"custom_id": "a", "params": params}, {"custom_id": "b", "params": {}}]
    batch = batches.create(requests=requests)
    yield batch
    yield batches.retrieve(batch.id)
    yield batches.retrieve(batch.id)
    yield from batches.results(batch.id)
    yield batches.delete(batch.id)


def _assistants(to: Clients) -> Iterable[BaseModel]:
    client: Any = to.openai()
    assistant = client.beta.assistants.create(model="m", tools=CHAT_TOOLS)
    yield assistant
    thread = client.beta.threads.create(messages=[{"role": "user", "content": "hi"}])
    yield thread
    run = client.beta.threads.runs.create_and_poll(thread_id=thread.id, assistant_id=assistant.id)
    yield run
    yield from client.beta.threads.runs.steps.list(run.id, thread_id=thread.id)
    with client.beta.threads.runs.stream(thread_id=thread.id, assistant_id=assistant.id, tools=[]) as stream:
        yield from stream
    yield client.beta.threads.delete(thread.id)


def _media(to: Clients) -> Iterable[BaseModel]:
    client = to.openai()
    yield client.images.edit(prompt="a cat", image=("a.png", b"PNG"), model="gpt-image-1")
    yield from client.images.generate(prompt="a cat", model="gpt-image-1", stream=True, partial_images=1)
    yield from client.images.edit(
        prompt="a cat", image=("a.png", b"PNG"), stream=True, extra_body={"partial_images": 1}
    )
    file = ("a.mp3", b"ID3")
    yield client.audio.transcriptions.create(model="whisper-1", file=file, response_format="verbose_json")
    yield from client.audio.transcriptions.create(model="gpt-4o-transcribe", file=file, stream=True)


def _stored(to: Clients) -> Iterable[BaseModel]:
    # Messages of stored chats are left out: their model takes none but an assistant's.
    client = to.openai()
    chat = client.chat.completions.create(model="m", store=True, messages=[{"role": "user", "content": "hi"}])
    yield from client.chat.completions.list()
    yield client.chat.completions.delete(chat.id)
    thought = client.responses.create(model="m", input="hi", reasoning={"summary": "auto"}, background=True)
    yield thought
    yield from client.responses.input_items.list(thought.id)
    yield from client.responses.create(model="m", input="hi", reasoning={"summary": "auto"}, stream=True)
    conversation = client.conversations.create(items=[{"role": "user", "content": "hi"}])
    yield conversation
    yield from client.conversations.items.list(conversation.id)
    yield client.conversations.delete(conversation.id)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "calls",
    [_chat, _azure, _responses, _messages, _others, _files, _stores, _jobs, _assistants, _media, _stored],
)
def test_every_reply_has_every_required_field(
    calls: Callable[[Clients], Iterable[BaseModel]], clients: Clients
) -> None:
    """Each model, dumped, passes its own validation."""
    checked = 0
    for model in calls(clients):
        type(model).model_validate(model.model_dump(by_alias=True))
        checked += 1

    assert checked >= 3
