"""Images and sound, in every form they are asked for."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .clients import Clients

PNG = b"\x89PNG\r\n\x1a\n"


def test_an_image_takes_shape_in_a_stream(clients: Clients) -> None:
    """As many partial images as asked for, then the whole one with its usage; an edit has events of its own."""
    client = clients.openai()
    made = list(client.images.generate(prompt="a cat", model="gpt-image-1", stream=True, partial_images=2))
    edited = list(client.images.edit(prompt="a cat", model="gpt-image-1", image=("a.png", PNG), stream=True))

    assert [event.type for event in made] == [*["image_generation.partial_image"] * 2, "image_generation.completed"]
    assert [event.type for event in edited] == ["image_edit.completed"]
    assert made[-1].type == "image_generation.completed"
    assert made[-1].usage.total_tokens == 3
    assert base64.b64decode(made[0].b64_json).startswith(PNG)


def test_an_edit_takes_an_image_and_gives_several(clients: Clients) -> None:
    """The form's fields count like those of a JSON body."""
    edited = clients.openai().images.edit(
        prompt="a cat", image=("a.png", PNG), n=2, quality="high", model="gpt-image-1"
    )

    assert edited.data is not None
    assert (len(edited.data), edited.quality) == (2, "high")


def test_a_transcription_comes_in_every_form(clients: Clients) -> None:
    """In detail, as subtitles of both kinds, and word by word."""
    client = clients.openai()
    file = ("a.mp3", b"ID3")
    detail = client.audio.transcriptions.create(model="whisper-1", file=file, response_format="verbose_json")
    srt = client.audio.transcriptions.create(model="whisper-1", file=file, response_format="srt")
    vtt = client.audio.transcriptions.create(model="whisper-1", file=file, response_format="vtt")
    events = list(client.audio.transcriptions.create(model="gpt-4o-transcribe", file=file, stream=True))
    words = "".join(event.delta for event in events if event.type == "transcript.text.delta")

    assert detail.text == "Reply 1 to: a.mp3, 3 bytes"
    assert detail.segments is not None
    assert detail.segments[0].text.strip() == detail.text
    assert srt == "1\n00:00:00,000 --> 00:00:01,500\nReply 2 to: a.mp3, 3 bytes\n\n"
    assert vtt.startswith("WEBVTT\n\n")
    assert events[-1].type == "transcript.text.done"
    assert words == events[-1].text == "Reply 4 to: a.mp3, 3 bytes"


def test_speech_can_be_asked_for_as_events(clients: Clients) -> None:
    """The same bytes, in base64."""
    client = clients.openai()
    sound = client.audio.speech.create(model="tts-1", voice="alloy", input="hello").read()
    events = client.audio.speech.create(model="tts-1", voice="alloy", input="hello", stream_format="sse").text
    parts = [line.partition('"audio":"')[2].rstrip('"}') for line in events.splitlines() if "audio.delta" in line]

    assert b"".join(map(base64.b64decode, parts))[10:] == sound[10:]
    assert '"type":"speech.audio.done"' in events


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_translation_is_a_transcription_without_usage(clients: Clients) -> None:
    """It knows no tokens."""
    client: Any = clients.openai()
    translated = client.audio.translations.create(model="whisper-1", file=("a.mp3", b"ID3"))

    assert translated.text == "Reply 1 to: a.mp3, 3 bytes"
    assert translated.model_extra == {}
