"""What a provider streams, by both protocols, for tests that bend it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from intercept.loopback import Answer
from tests.conformance.callers import Caller

Event: TypeAlias = "tuple[str | None, object]"
Pieces: TypeAlias = "tuple[bytes, ...]"


def events(caller: Caller, texts: Sequence[str] = ("one", "two")) -> list[Event]:
    """Return a whole good stream that says some texts."""
    return _chat(texts) if caller.sdk == "openai" else _message(texts)


def chunks(told: Iterable[Event]) -> Pieces:
    """Return events as they go over the wire, one chunk each."""
    return Answer.sse(told).chunks or ()


def stream(pieces: Iterable[bytes], *, encoding: str | None = None, cut_after: int | None = None) -> Answer:
    """Answer with a stream of these very bytes."""
    headers = () if encoding is None else (("content-encoding", encoding),)
    return Answer(content_type="text/event-stream", chunks=tuple(pieces), headers=headers, cut_after=cut_after)


def chat_chunk(*choices: object, **fields: object) -> Event:
    """Return one chunk of a chat completion."""
    return None, {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **fields,
    }


def _chat(texts: Sequence[str]) -> list[Event]:
    def delta(finish: str | None = None, **fields: object) -> Event:
        return chat_chunk({"index": 0, "delta": fields, "finish_reason": finish})

    said = [delta(content=text) for text in texts]
    return [delta(role="assistant", content=""), *said, delta("stop"), (None, "[DONE]")]


def _message(texts: Sequence[str]) -> list[Event]:
    said = [{"type": "text_delta", "text": text} for text in texts]
    return [message_start(), *block(0, {"type": "text", "text": ""}, said), *message_end()]


def message_start() -> Event:
    """Return the first event of a message."""
    message: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    return _typed("message_start", message=message)


def block(index: int, content: object, deltas: Iterable[object]) -> list[Event]:
    """Return the events of one content block."""
    return [
        _typed("content_block_start", index=index, content_block=content),
        *(_typed("content_block_delta", index=index, delta=delta) for delta in deltas),
        _typed("content_block_stop", index=index),
    ]


def message_end(reason: str = "end_turn") -> list[Event]:
    """Return the last events of a message."""
    usage = {"output_tokens": 2}
    return [
        _typed("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=usage),
        _typed("message_stop"),
    ]


def _typed(kind: str, **fields: object) -> Event:
    return kind, {"type": kind, **fields}
