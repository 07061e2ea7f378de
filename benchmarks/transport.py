"""A provider in memory: an HTTP transport that makes a stream of deltas while it is read."""

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


def client(transport: Any) -> openai.OpenAI:
    """Make the SDK's client over a transport."""
    return openai.OpenAI(api_key="none", http_client=openai.DefaultHttpxClient(transport=transport))
