"""Speech and transcriptions: binary in one direction, uploads in the other."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, entered, settled
from tests.conformance.operations.folder import folder
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import DEPRECATED, operation
from tests.conformance.operations.views import Asked, asked, viewed

SPEECH: dict[str, Any] = {"model": "gpt-4o-mini-tts", "voice": "alloy", "input": "What is it?"}
SOUND = ("question.mp3", b"ID3\x04" + bytes(range(256)), "audio/mpeg")
HEARD: dict[str, Any] = {"model": "gpt-4o-transcribe", "file": SOUND}


@viewed("openai")
async def speech(_client: Any) -> Asked:
    return asked("audio.speech.create", **SPEECH)


@viewed("openai")
async def speech_in_events(_client: Any) -> Asked:
    return asked("audio.speech.create", **SPEECH, stream_format="sse")


@operation("openai", DEPRECATED)
async def speech_read(client: Any) -> Any:
    """What the binary result offers, one after the other."""
    sound = await settled(client.audio.speech.create(**SPEECH))
    with folder() as there:
        written, streamed = there.path / "written", there.path / "streamed"
        sound.write_to_file(written)
        await settled(sound.astream_to_file(streamed) if _is_async(client) else sound.stream_to_file(streamed))
        files = [there.read("written"), there.read("streamed")]
    return [kind(sound), sound.read(), await settled(sound.aread() if _is_async(client) else sound.read()), files]


@operation("openai")
async def speech_drawn(client: Any) -> Any:
    sound = await settled(client.audio.speech.create(**SPEECH))
    drawn = await each(await settled(sound.aiter_bytes(100) if _is_async(client) else sound.iter_bytes(100)))
    return [drawn, sound.response.status_code, sound.response.headers["content-type"]]


@operation("openai")
async def speech_streamed(client: Any) -> Any:
    parts: list[Any] = []
    with folder() as there:
        async with entered(client.audio.speech.with_streaming_response.create(**SPEECH)) as response:
            parts.append([kind(response), await each(response.iter_bytes(50))])
        async with entered(client.audio.speech.with_streaming_response.create(**SPEECH)) as response:
            await settled(response.stream_to_file(there.path / "streamed"))
        async with entered(client.audio.speech.with_streaming_response.create(**SPEECH)) as response:
            parsed = await settled(response.parse())
            parts.append([kind(parsed), await settled(response.read())])
        parts.append(there.read("streamed"))
    return parts


@viewed("openai", streams=True)
async def transcription(_client: Any) -> Asked:
    return asked("audio.transcriptions.create", **HEARD)


@viewed("openai")
async def transcription_as_text(_client: Any) -> Asked:
    return asked("audio.transcriptions.create", **HEARD, response_format="text")


@viewed("openai", variant=True)
async def transcription_in_detail(_client: Any) -> Asked:
    more: dict[str, Any] = {"response_format": "verbose_json", "timestamp_granularities": ["word", "segment"]}
    return asked("audio.transcriptions.create", **HEARD, **more)


@viewed("openai", DEPRECATED)
async def translation(_client: Any) -> Asked:
    return asked("audio.translations.create", model="whisper-1", file=SOUND)


@viewed("openai", DEPRECATED, variant=True)
async def translation_as_subtitles(_client: Any) -> Asked:
    return asked("audio.translations.create", model="whisper-1", file=SOUND, response_format="srt")


def _is_async(client: Any) -> bool:
    return type(client).__name__.startswith("Async")
