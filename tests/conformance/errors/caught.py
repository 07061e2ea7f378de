"""Everything that an application can read of an SDK error, as plain data."""

from __future__ import annotations

from typing import Any, Final

import anthropic
import openai

from intercept.loopback import Answer
from tests.conformance.callers import Caller
from tests.conformance.ways import Way

ERRORS: Final = (openai.OpenAIError, anthropic.AnthropicError)
STORED: Final = (
    b"content-type",
    b"request-id",
    b"retry-after",
    b"retry-after-ms",
    b"x-request-id",
    b"x-should-retry",
)
"""The response headers that a cassette holds without being told."""


def refusal(caller: Caller, status: int, **parts: Any) -> Answer:
    """Return the provider's error of this status, in its own shape."""
    make = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    return make(status, message=f"No {status}.", **parts)


def hinted(caller: Caller, status: int, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    """Return an error that says something of trying again."""
    error = refusal(caller, status)
    return Answer(status, error.body, (*error.headers, *headers))


def once() -> dict[str, Any]:
    """Options of a client that does not try again."""
    return {"max_retries": 0}


async def caught(way: Way, client: Any, text: str = "hi") -> Any:
    """Ask in one way, and return the SDK's error; the answer, if there was one."""
    try:
        return await way(client, text)
    except ERRORS as error:
        return error


def told(error: Any) -> dict[str, Any]:
    """Describe an SDK error by all its public parts."""
    if not isinstance(error, ERRORS):
        return {"answer": error}
    return {
        "class": _name(error),
        "text": str(error),
        "repr": repr(error),
        "args": error.args,
        "cause": _name(error.__cause__),
        "context": _name(error.__context__),
        "suppressed": error.__suppress_context__,
        **{part: getattr(error, part, "absent") for part in ("message", "status_code", "body", "request_id")},
        **{part: getattr(error, part, "absent") for part in ("code", "type", "param")},
        "request": _request(getattr(error, "request", None)),
        "response": _response(error) if hasattr(error, "response") else None,
    }


def _name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _request(request: Any) -> Any:
    """Describe the request, but for where it went and whose key it had."""
    if request is None:
        return None
    own = ("host", "authorization", "x-api-key", "connection", "x-stainless-read-timeout")
    headers = [(name, value) for name, value in request.headers.multi_items() if name not in own]
    return [_name(request), request.method, request.url.raw_path, headers, request.content]


def _response(error: Any) -> Any:
    response = error.response
    try:
        parsed = response.json()
    except ValueError as problem:
        parsed = _name(problem)
    return {
        "class": _name(response),
        "status": (response.status_code, response.reason_phrase, response.http_version, response.is_error),
        "headers": [(name, value) for name, value in response.headers.raw if name.lower() in STORED],
        "items": [(name, value) for name, value in response.headers.multi_items() if name.encode() in STORED],
        "body": (response.content, response.text, parsed, response.encoding, response.charset_encoding),
        "state": (response.is_closed, response.is_stream_consumed, response.history),
        "next": response.next_request and (response.next_request.method, response.next_request.url.raw_path),
        "downloaded": response.num_bytes_downloaded,
        "took": _took(response),
        "request": (
            _request(response.request),
            response.url == response.request.url,
            error.request is response.request,
        ),
    }


def _took(response: Any) -> Any:
    try:
        return response.elapsed.total_seconds() > 0
    except RuntimeError as problem:  # a copy of a response does not know
        return _name(problem)
