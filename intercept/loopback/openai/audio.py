"""Speech and its transcription: a few bytes that start like MP3, and a text that tells what was heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.answer import Answer
from intercept.loopback.openai.replies import headers, raw, reply
from intercept.loopback.prose import tokens
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from intercept.loopback.ask import Ask

_PART = 64


def speech(ask: Ask) -> Answer:
    """``POST /v1/audio/speech``: binary, written in parts."""
    sound = b"ID3\x04\x00\x00" + ask.mint.turn.to_bytes(4, "big") + str(ask.body["input"]).encode() + bytes(range(256))
    chunks = tuple(sound[at : at + _PART] for at in range(0, len(sound), _PART))
    return Answer(200, headers=headers(ask), content_type="audio/mpeg", chunks=chunks)


def transcription(ask: Ask) -> Answer:
    """``POST /v1/audio/transcriptions``."""
    if ask.upload is None:
        raise Refused(400, None, param="file")
    text = f"Reply {ask.turn} to: {ask.upload.filename}, {len(ask.upload.data)} bytes"
    if ask.upload.fields.get("response_format") == "text":
        return raw(ask, f"{text}\n".encode(), "text/plain; charset=utf-8")
    made = tokens(text)
    details = {"text_tokens": 0, "audio_tokens": 1}
    usage = {
        "type": "tokens",
        "input_tokens": 1,
        "input_token_details": details,
        "output_tokens": made,
        "total_tokens": 1 + made,
    }
    return reply(ask, {"text": text, "usage": usage})
