"""JSON as the loopback provider reads it: lenient views on values nobody has validated."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

JSONObject: TypeAlias = dict[str, Any]


def as_object(value: object) -> JSONObject:
    """Return the value if it is a JSON object, else an empty one."""
    return cast("JSONObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return the value if it is a JSON array, else an empty one."""
    return list(cast("Iterable[Any]", value)) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return the value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def compact(value: object) -> str:
    """Return the value as JSON without blanks and with non-ASCII text as it is, like the providers send it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
