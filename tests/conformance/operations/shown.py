"""What an application can see of an answer, whichever kind of object the SDK made of it; read to its end."""

from __future__ import annotations

import sys
from typing import Any

import anthropic
import openai
import pydantic

from tests.conformance.callers import each, settled

# The headers a cassette keeps; the others may differ.
_HEADERS = ("content-type", "x-request-id", "request-id", "retry-after", "retry-after-ms", "x-should-retry")
# The classes by which applications tell apart what they got.
_PUBLIC = ("Stream", "AsyncStream", "APIResponse", "AsyncAPIResponse", "BinaryAPIResponse", "AsyncBinaryAPIResponse")


async def shown(result: Any) -> Any:
    """Show a result: a model, a page, a stream, something binary, or plain text."""
    if hasattr(result, "has_next_page"):
        return [result, result.has_next_page()]
    if isinstance(result, pydantic.BaseModel):
        return result
    if hasattr(result, "iter_bytes"):
        return {"kind": kind(result), "content": await content(result)}
    if hasattr(result, "__aiter__") or hasattr(result, "__next__"):
        events = await each(result)
        return {"kind": kind(result), "events": events, "closed": _response_of(result).is_closed}
    assert result is None or isinstance(result, (str, bytes)), f"how to show a {type(result)}?"
    return result


def kind(result: Any) -> Any:
    """Name the class of an object, and the public classes of its SDK that it is an instance of."""
    module = openai if type(result).__module__.startswith("openai") else anthropic
    legacy = sys.modules.get(f"{module.__name__}._legacy_response")
    public: dict[str, Any] = {name: getattr(module, name, None) for name in _PUBLIC}
    public["LegacyAPIResponse"] = getattr(legacy, "LegacyAPIResponse", None)
    return [type(result).__qualname__, [name for name, cls in public.items() if cls and isinstance(result, cls)]]


async def content(result: Any) -> bytes:
    """Return the bytes of something binary."""
    data = result.read()
    return bytes(await settled(data))


def about(response: Any) -> dict[str, Any]:
    """Show what a raw or streaming response tells besides its body."""
    http = response.http_response
    return {
        "kind": kind(response),
        "status": [response.status_code, http.status_code, http.reason_phrase, response.http_version],
        "headers": {name: response.headers.get(name) for name in _HEADERS},
        "request id": response.request_id,
        "asked": [response.method, response.url.path, response.http_request.method],
        "retries": response.retries_taken,
        "encoding": [http.encoding, http.charset_encoding],
        "closed": response.is_closed,
    }


async def body(response: Any) -> dict[str, Any]:
    """Show the body of a response that is not a stream, in every way it can be taken."""
    text = response.text if isinstance(response.text, str) else await settled(response.text())
    is_json = response.headers.get("content-type", "").startswith("application/json")
    parsed = await settled(response.parse())
    again = await settled(response.parse())
    return {
        "bytes": [response.http_response.content, getattr(response, "content", None)],
        "text": text,
        "json": response.http_response.json() if is_json else None,
        "parsed": await shown(parsed),
        "parsed once": again is parsed,
    }


def _response_of(stream: Any) -> Any:
    return stream.http_response if hasattr(stream, "http_response") else stream.response
