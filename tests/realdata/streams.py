"""Streams recorded without their HTTP: the events of one answer, bare, to which the request is made up here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .recording import Recording
from .wire import compact

if TYPE_CHECKING:
    from pathlib import Path

    from .plain_yaml import Tree

_HEADERS = (("content-type", "text/event-stream; charset=utf-8"),)


def event_lines(file: str, path: Path) -> Recording:
    """A file of one JSON event a line: the recorder took the SSE framing off, here it is put on again."""
    lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    body = b"".join(b"event: %s\ndata: %s\n\n" % (json.loads(line)["type"].encode(), line) for line in lines)
    return _recording(file, json.loads(lines[0]), body, exact=False)


def event_stream(file: str, path: Path) -> Recording:
    """A file that is the body of an SSE answer, byte for byte."""
    body = path.read_bytes()
    first = next(line for line in body.splitlines() if line.startswith(b"data:"))
    return _recording(file, json.loads(first.removeprefix(b"data:")), body, exact=True)


def _recording(file: str, first: Tree, body: bytes, *, exact: bool) -> Recording:
    provider, url, path, request = _asked(first)
    return Recording(
        file=file,
        index=0,
        provider=provider,
        method="POST",
        url=url + path,
        path=path,
        request=compact(request),
        request_type="application/json",
        status=200,
        headers=_HEADERS,
        body=body,
        exact=exact,
    )


def _asked(first: Tree) -> tuple[str, str, str, Tree]:
    """The smallest request that such an answer may follow, told from its first event."""
    if first["type"] == "message_start":
        said = [{"role": "user", "content": "(not recorded)"}]
        asked = {"model": first["message"]["model"], "max_tokens": 1024, "messages": said, "stream": True}
        return "anthropic", "https://api.anthropic.com", "/v1/messages", asked
    asked = {"model": first["response"]["model"], "input": "(not recorded)", "stream": True}
    return "openai", "https://api.openai.com", "/v1/responses", asked
