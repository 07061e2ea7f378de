"""Speech and its transcription: a few bytes that start like MP3, and a text that tells what was heard."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from intercept.loopback.answer import Answer
from intercept.loopback.openai.replies import headers, raw, reply, stream
from intercept.loopback.prose import tokens, words
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PART = 64
_SECONDS = 1.5


def speech(ask: Ask) -> Answer:
    """``POST /v1/audio/speech``: binary written in parts, or events that carry the parts."""
    sound = b"ID3\x04\x00\x00" + ask.mint.turn.to_bytes(4, "big") + str(ask.body["input"]).encode() + bytes(range(256))
    chunks = tuple(sound[at : at + _PART] for at in range(0, len(sound), _PART))
    if ask.body.get("stream_format") == "sse":
        return stream(ask, _spoken(chunks, tokens(ask.body["input"])))
    return Answer(200, headers=headers(ask), content_type="audio/mpeg", chunks=chunks)


def _spoken(chunks: tuple[bytes, ...], given: int) -> Iterator[tuple[str | None, object]]:
    for chunk in chunks:
        yield None, {"type": "speech.audio.delta", "audio": base64.b64encode(chunk).decode()}
    usage = {"input_tokens": given, "output_tokens": len(chunks), "total_tokens": given + len(chunks)}
    yield None, {"type": "speech.audio.done", "usage": usage}


def transcription(ask: Ask) -> Answer:
    """``POST /v1/audio/transcriptions``: as JSON, in detail, as text, as subtitles, or streamed."""
    return _heard(ask, "transcribe")


def translation(ask: Ask) -> Answer:
    """``POST /v1/audio/translations``."""
    return _heard(ask, "translate")


def _heard(ask: Ask, task: str) -> Answer:
    if ask.upload is None:
        raise Refused(400, None, param="file")
    text = f"Reply {ask.turn} to: {ask.upload.filename}, {len(ask.upload.data)} bytes"
    if ask.upload.fields.get("stream") == "true":
        return stream(ask, _transcript(text))
    shape = ask.upload.fields.get("response_format") or "json"
    if shape == "text":
        return raw(ask, f"{text}\n".encode(), "text/plain; charset=utf-8")
    if shape == "srt":
        return raw(ask, f"1\n00:00:00,000 --> 00:00:01,500\n{text}\n\n".encode(), "text/plain; charset=utf-8")
    if shape == "vtt":
        lines = f"WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n{text}\n\n"
        return raw(ask, lines.encode(), "text/plain; charset=utf-8")
    if shape == "verbose_json":
        return reply(ask, _in_detail(text, task))
    return reply(ask, {"text": text, **({"usage": _usage(text)} if task == "transcribe" else {})})


def _usage(text: str) -> JSONObject:
    made = tokens(text)
    return {
        "type": "tokens",
        "input_tokens": 1,
        "input_token_details": {"text_tokens": 0, "audio_tokens": 1},
        "output_tokens": made,
        "total_tokens": 1 + made,
    }


def _in_detail(text: str, task: str) -> JSONObject:
    segment = {
        "id": 0,
        "seek": 0,
        "start": 0.0,
        "end": _SECONDS,
        "text": f" {text}",
        "tokens": [50364, 50414],
        "temperature": 0.0,
        "avg_logprob": -0.25,
        "compression_ratio": 1.25,
        "no_speech_prob": 0.0625,
    }
    detail: JSONObject = {
        "task": task,
        "language": "english",
        "duration": _SECONDS,
        "text": text,
        "segments": [segment],
    }
    return detail if task == "translate" else {**detail, "usage": {"type": "duration", "seconds": 2}}


def _transcript(text: str) -> Iterator[tuple[str | None, object]]:
    for word in words(text):
        yield None, {"type": "transcript.text.delta", "delta": word}
    yield None, {"type": "transcript.text.done", "text": text, "usage": _usage(text)}
    yield None, "[DONE]"
