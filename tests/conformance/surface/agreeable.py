"""A provider that knows no endpoint and agrees to everything: each request gets an answer of the kind it asks for."""

from __future__ import annotations

import re
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from typing_extensions import Self

from intercept.loopback import Answer
from intercept.loopback.received import Received
from intercept.loopback.server import Server

_BYTES: Final = ("application/binary", "application/octet-stream", "application/sdp")


class Agreeable:
    """Serves on this machine; `hits` counts the requests. No two answers are equal."""

    def __init__(self) -> None:
        self.hits = 0
        self._server = Server(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = tuple(request.headers.items())
        asked = Received(request.method, request.url.path, request.url.query, headers, await request.body())
        self.hits += 1
        answer = _answer(asked, self.hits)
        content = answer.payload() if answer.chunks is None else b"".join(answer.chunks)
        await Response(content, answer.status, media_type=answer.content_type)(scope, receive, send)


def _answer(asked: Received, turn: int) -> Answer:
    accept = asked.header("accept") or ""
    if asked.path.endswith("/results"):
        return Answer(body=f'{{"custom_id":"a_{turn}"}}\n{{"custom_id":"b_{turn}"}}\n', content_type=accept)
    if accept in _BYTES:
        return Answer(body=b"\x00\xff%d" % turn, content_type=accept)
    thing = _thing(asked, turn)
    if _is_streamed(asked, accept):
        return Answer.sse(_events(asked, thing))
    return Answer(body=thing, content_type="application/json")


def _thing(asked: Received, turn: int) -> dict[str, Any]:
    """Return an object that is all objects: done, and the first page of two."""
    is_first = re.search(r"\b(after|after_id|page|page_token)=", asked.query) is None
    return {
        "id": f"made_{turn}",
        "status": _status(asked.path),
        "thread_id": "thread_1",
        "usage": {"input_tokens": turn, "output_tokens": 1},
        "file_counts": {"in_progress": 0},
        "results_url": f"http://{asked.header('host')}{asked.path}/results",
        "choices": [],
        "content": [],
        "output": [],
        "data": [{"id": f"item_{turn}"}],
        "has_more": is_first,
        **(dict.fromkeys(("last_id", "next", "next_page"), "more") if is_first else {}),
    }


def _status(path: str) -> str:
    """Return what those who wait for an object wait for."""
    return "processed" if "/files/" in path else "idle" if "/sessions/" in path else "completed"


def _is_streamed(asked: Received, accept: str) -> bool:
    return (
        accept == "text/event-stream"
        or asked.path.endswith("/stream")
        or "stream=true" in asked.query
        or re.search(rb'"stream"(: ?|\r\n\r\n)true', asked.body) is not None  # as JSON, or in a form
    )


def _events(asked: Received, thing: dict[str, Any]) -> list[tuple[str | None, object]]:
    """Return a short stream that is whole by the protocol of its endpoint."""
    if "/sessions" in asked.path:
        return _session_events(asked, thing)
    if asked.to_anthropic:
        start = {"type": "message_start", "message": thing}
        return [("message_start", start), ("message_stop", {"type": "message_stop"})]
    if "/responses" in asked.path:
        return [(name, {"type": name, "response": thing}) for name in ("response.created", "response.completed")]
    if "/runs" in asked.path:
        return [("thread.run.completed", thing), ("done", "[DONE]")]
    choice = {"index": 0, "delta": {"role": "assistant", "content": "Hi"}, "text": "Hi"}
    return [(None, {**thing, "object": "chat.completion.chunk", "choices": [choice]}), (None, "[DONE]")]


def _session_events(asked: Received, thing: dict[str, Any]) -> list[tuple[str | None, object]]:
    if asked.to_anthropic:
        return [(name, {"type": name, **thing}) for name in ("session.status_idle", "session.status_terminated")]
    turn = {"turn_id": "turn_1", "turn": {"id": "turn_1"}}
    names = ("agent.session.turn.created", "agent.session.turn.completed", "agent.session.idle")
    return [*((None, {"type": name, "event_id": name, **turn}) for name in names), (None, "[DONE]")]
