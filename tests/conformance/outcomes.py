"""What an application sees of a result, as plain data: two ways of getting it are equal if this is."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import anthropic
import openai
import pydantic


def seen(result: object) -> Any:
    """Describe a result: its type, its fields, and what else the SDK hangs on it."""
    if isinstance(result, pydantic.BaseModel):
        return {
            "type": type(result).__qualname__,
            "fields": result.model_dump(warnings=False),
            "extra": result.model_extra,
            "set": sorted(result.model_fields_set),
            "request_id": getattr(result, "_request_id", None),
        }
    if isinstance(result, BaseException):
        return _error(result)
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        fields = {field.name: seen(getattr(result, field.name)) for field in dataclasses.fields(result)}
        return {"type": type(result).__qualname__, "fields": fields}
    if isinstance(result, (list, tuple)):
        return [seen(item) for item in cast("list[object]", result)]
    if isinstance(result, dict):
        return {key: seen(value) for key, value in cast("dict[str, object]", result).items()}
    return result


def _error(error: BaseException) -> dict[str, Any]:
    kind = type(error)
    told = {"type": kind.__qualname__, "message": str(error)}
    if not isinstance(error, (openai.APIError, anthropic.APIError)):
        return told | {"module": kind.__module__}
    response = getattr(error, "response", None)
    return told | {
        "status": getattr(error, "status_code", None),
        "body": error.body,
        "request_id": getattr(error, "request_id", None),
        "retry_after": None if response is None else response.headers.get("retry-after"),
    }
