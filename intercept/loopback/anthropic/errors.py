"""Anthropic's error bodies, by status."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject

# By status: kind and message.
_BY_STATUS: dict[int, tuple[str, str]] = {
    400: ("invalid_request_error", "Invalid request"),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your API key does not have permission to use the specified resource"),
    404: ("not_found_error", "Not Found"),
    405: ("invalid_request_error", "Method Not Allowed"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your organization's rate limit"),
    500: ("api_error", "Internal server error"),
}
_OVERLOADED = ("overloaded_error", "Overloaded")


def error(status: int, *, request_id: str, kind: str | None = None, message: str | None = None) -> JSONObject:
    """Return the body Anthropic sends with a status; what is not given is the usual."""
    usual_kind, usual_message = _BY_STATUS.get(status, _OVERLOADED)
    return {
        "type": "error",
        "error": {
            "type": usual_kind if kind is None else kind,
            "message": usual_message if message is None else message,
        },
        "request_id": request_id,
    }
