"""A provider in memory: HTTP transports that answer at once, or by a stream of deltas made while it is read."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import openai

# The HTTP library that the installed SDK is written for: httpx2, or httpx before openai 3.
http: Any = sys.modules[openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0]]


def delta(size: int) -> bytes:
    """Return one event of a chat stream, with `size` letters of text."""
    choice = {"index": 0, "delta": {"content": "x" * size}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


class _Stream(http.SyncByteStream):  # type: ignore[misc]
    def __init__(self, count: int, size: int, pause: float) -> None:
        self.count, self.size, self.pause = count, size, pause

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.count):
            yield delta(self.size)
            if self.pause:
                time.sleep(self.pause)
        yield b"data: [DONE]\n\n"


class Transport(http.BaseTransport):  # type: ignore[misc]
    """Answers every request with `count` deltas of `size` letters, `pause` seconds apart."""

    def __init__(self, count: int, size: int = 4, pause: float = 0.0) -> None:
        """Take the shape of the stream."""
        self._shape = (count, size, pause)

    def handle_request(self, request: Any) -> Any:
        """Answer with a stream of its own."""
        headers = {"content-type": "text/event-stream"}
        return http.Response(200, headers=headers, stream=_Stream(*self._shape), request=request)


def answer() -> dict[str, Any]:
    """Return the body of a chat completion, about 600 bytes of JSON."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "All work and no play. " * 8,
        "refusal": None,
        "annotations": [],
    }
    return {
        "id": "chatcmpl-x",
        "object": "chat.completion",
        "created": 1,
        "model": "no-model",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        "service_tier": "default",
        "system_fingerprint": "fp_x",
    }


class Answering(http.BaseTransport):  # type: ignore[misc]
    """Answers every request with the same completion."""

    def __init__(self) -> None:
        """Write the answer once."""
        self._body = json.dumps(answer(), separators=(",", ":")).encode()

    def handle_request(self, request: Any) -> Any:
        """Answer at once."""
        headers = {"content-type": "application/json", "x-request-id": "req_x"}
        return http.Response(200, headers=headers, content=self._body, request=request)


class Refusing(http.BaseTransport):  # type: ignore[misc]
    """Stands where nobody must ask."""

    def handle_request(self, request: Any) -> Any:
        """Refuse."""
        raise AssertionError(f"{request.url} was asked")


def ask(asked: openai.OpenAI, text: str) -> None:
    """Ask one question."""
    question: Any = [{"role": "user", "content": text}]
    asked.chat.completions.create(model="no-model", messages=question)


def client(transport: Any) -> openai.OpenAI:
    """Make the SDK's client over a transport."""
    return openai.OpenAI(api_key="none", http_client=openai.DefaultHttpxClient(transport=transport))
