"""What an SDK handed back, as plain data that two runs can be compared by."""

from __future__ import annotations

import hashlib
from typing import Any, cast

import anthropic
import openai
from pydantic import BaseModel

_FAILURES = (openai.APIError, anthropic.APIError)


def outcome(result: object) -> Any:
    """The result as JSON values, the name of its type within.

    A model is its fields and request id; a list of events is the list of theirs; an SDK error is its status, body,
    request id and message; a binary answer is its length and SHA-256; plain JSON is itself.

    Raises:
        TypeError: a result of a kind not known here, which would compare by nothing.

    """
    if isinstance(result, list):
        return [outcome(item) for item in cast("list[object]", result)]
    if isinstance(result, BaseModel):
        # Providers beside the two give values their models do not foresee: pydantic would warn of each.
        fields = result.model_dump(mode="json", warnings=False)
        return {**_named(result), "request_id": getattr(result, "_request_id", None), "fields": fields}
    if isinstance(result, _FAILURES):
        return {**_named(result), **_failure(result)}
    if result is None or isinstance(result, (str, int, float, bool)):
        return result
    if isinstance(result, dict):
        return cast("dict[str, Any]", result)
    content = getattr(result, "content", None)
    if isinstance(content, bytes):
        return {**_named(result), "length": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    message = f"no plain form is known for {type(result)}"
    raise TypeError(message)


def _named(result: object) -> dict[str, str]:
    return {"type": type(result).__qualname__}


def _failure(error: openai.APIError | anthropic.APIError) -> dict[str, Any]:
    # Only an error of a status has the first two; one found inside a stream has a body and a message.
    return {
        "status_code": getattr(error, "status_code", None),
        "request_id": getattr(error, "request_id", None),
        "body": error.body,
        "message": str(error),
    }
