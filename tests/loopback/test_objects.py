"""What is kept and what is listed: files, models, responses; and the endpoints that count and measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import openai
import pytest

if TYPE_CHECKING:
    from intercept.loopback import Provider

    from .clients import Clients

DATA = bytes(range(256)) * 5


def test_a_file_of_openai_comes_back_byte_for_byte(clients: Clients) -> None:
    """Uploaded, described, listed, read, deleted, gone."""
    client = clients.openai()
    made = client.files.create(file=("data.bin", DATA), purpose="user_data")
    again = client.files.retrieve(made.id)
    listed = [file.id for file in client.files.list()]
    content = client.files.content(made.id).read()
    deleted = client.files.delete(made.id)

    assert (made.filename, made.bytes, made.purpose) == ("data.bin", len(DATA), "user_data")
    assert again == made
    assert listed == [made.id]
    assert content == DATA
    assert deleted.deleted
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(made.id)


def test_a_file_of_anthropic_comes_back_byte_for_byte(clients: Clients) -> None:
    """The same path, in the other provider's shape, on a shelf of its own."""
    client = clients.anthropic()
    made = client.beta.files.upload(file=("data.bin", DATA, "application/x-data"))
    listed = [file.id for file in client.beta.files.list()]
    content = client.beta.files.download(made.id).read()
    client.beta.files.delete(made.id)

    assert (made.filename, made.size_bytes, made.mime_type) == ("data.bin", len(DATA), "application/x-data")
    assert listed == [made.id]
    assert content == DATA
    assert [file.id for file in client.beta.files.list()] == []
    assert [file.id for file in clients.openai().files.list()] == []


def test_models_of_anthropic_come_in_pages(clients: Clients, provider: Provider) -> None:
    """Five models, two a page, are three requests; OpenAI's list on the same path has no pages."""
    names = [model.id for model in clients.anthropic().models.list(limit=2)]
    pages = provider.hits
    others = [model.id for model in clients.openai().models.list()]

    assert len(set(names)) == 5
    assert pages == 3
    assert "gpt-4o" in others


def test_embeddings_are_the_same_numbers_in_both_encodings(clients: Clients, provider: Provider) -> None:
    """The SDK asks for base64 unless told otherwise; a vector depends on its text only."""
    client = clients.openai()
    packed = client.embeddings.create(model="m", input=["a", "b"])
    plain = client.embeddings.create(model="m", input="b", encoding_format="float")
    long = client.embeddings.create(model="m", input="b", dimensions=100)

    assert provider.requests[0].json()["encoding_format"] == "base64"
    assert packed.data[1].embedding == plain.data[0].embedding
    assert packed.data[0].embedding != packed.data[1].embedding
    assert len(long.data[0].embedding) == 100


def test_a_response_is_kept_until_deleted(clients: Clients) -> None:
    """Created, streamed too, read back, deleted, gone; and not kept when the request says so."""
    client = clients.openai()
    made = client.responses.create(model="m", input="hi")
    with client.responses.stream(model="m", input="hi") as stream:
        streamed = stream.get_final_response()
    again = client.responses.retrieve(made.id)
    unkept = client.responses.create(model="m", input="hi", store=False)
    client.responses.delete(made.id)

    assert again.output_text == made.output_text
    assert client.responses.retrieve(streamed.id).output_text == streamed.output_text
    for gone in (made.id, unkept.id):
        with pytest.raises(openai.NotFoundError):
            client.responses.retrieve(gone)


def test_tokens_moderations_and_text_completions(clients: Clients) -> None:
    """The small endpoints."""
    counted = clients.anthropic().messages.count_tokens(
        model="m", messages=[{"role": "user", "content": "one two three"}]
    )
    client = clients.openai()
    flagged = client.moderations.create(input=["peace", "violence"])
    text = client.completions.create(model="m", prompt="Say")
    parts = [chunk.choices[0].text for chunk in client.completions.create(model="m", prompt="Say", stream=True)]

    assert counted.input_tokens == 4
    assert [result.flagged for result in flagged.results] == [False, True]
    assert text.choices[0].text == "Reply 3 to: Say"
    assert "".join(parts) == "Reply 4 to: Say"


def test_sound_is_binary_in_both_directions(clients: Clients) -> None:
    """Speech comes as bytes, a transcription takes a file."""
    client = clients.openai()
    speech = client.audio.speech.create(model="tts-1", voice="alloy", input="hello").read()
    heard = client.audio.transcriptions.create(model="whisper-1", file=("a.mp3", speech))
    plain = client.audio.transcriptions.create(model="whisper-1", file=("a.mp3", speech), response_format="text")

    assert speech.startswith(b"ID3")
    assert heard.text == f"Reply 2 to: a.mp3, {len(speech)} bytes"
    assert plain == f"Reply 3 to: a.mp3, {len(speech)} bytes\n"
