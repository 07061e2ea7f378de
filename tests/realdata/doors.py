"""The client's own `get` and `post`, for the two Anthropic endpoints that no method asks for by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_type_hints

import anthropic

if TYPE_CHECKING:
    from .recording import Recording


def door(client: object, recording: Recording) -> dict[str, Any]:
    """The keywords for `client.get` or `client.post`; the answer of both is a stream.

    Raises:
        TypeError: the client is not Anthropic's.

    """
    if not isinstance(client, (anthropic.Anthropic, anthropic.AsyncAnthropic)):
        message = f"only Anthropic's clients are asked this way, not {type(client).__qualname__}"
        raise TypeError(message)
    if recording.method == "GET":
        # The decoder of JSON lines is a private name, and another one for async: the method that uses it tells it.
        lines = get_type_hints(client.messages.batches.results)["return"]
        return {"path": recording.path, "cast_to": lines, "stream": True}
    is_async = isinstance(client, anthropic.AsyncAnthropic)
    kind = anthropic.AsyncStream[object] if is_async else anthropic.Stream[object]
    body = json.loads(recording.request)
    return {"path": recording.path, "body": body, "cast_to": object, "stream": True, "stream_cls": kind}
