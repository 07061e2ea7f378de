"""Every default reply holds every field the SDKs' models require; their lenient parsing would hide a missing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("calls", [_chat, _azure, _responses, _messages, _others, _files])
def test_every_reply_has_every_required_field(
    calls: Callable[[Clients], Iterable[BaseModel]], clients: Clients
) -> None:
    """Each model, dumped, passes its own validation."""
    checked = 0
    for model in calls(clients):
        type(model).model_validate(model.model_dump(by_alias=True))
        checked += 1

    assert checked >= 3
