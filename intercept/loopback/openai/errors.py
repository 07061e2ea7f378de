"""OpenAI's error bodies, by status."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject

# By status: message, type and code.
_BY_STATUS: dict[int, tuple[str, str, str | None]] = {
    400: ("Invalid request.", "invalid_request_error", None),
    401: ("Incorrect API key provided.", "invalid_request_error", "invalid_api_key"),
    403: ("You are not allowed to do this.", "invalid_request_error", None),
    404: ("Not found.", "invalid_request_error", None),
    429: ("Rate limit reached for requests.", "requests", "rate_limit_exceeded"),
}
_SERVER = ("The server had an error while processing your request. Sorry about that!", "server_error", None)


def error(
    status: int,
    *,
    message: str | None = None,
    code: str | None = None,
    kind: str | None = None,
    param: str | None = None,
) -> JSONObject:
    """Return the body OpenAI sends with a status; what is not given is the usual."""
    usual_message, usual_kind, usual_code = _BY_STATUS.get(status, _SERVER)
    return {
        "error": {
            "message": usual_message if message is None else message,
            "type": usual_kind if kind is None else kind,
            "param": param,
            "code": usual_code if code is None else code,
        }
    }


def wrong_key(key: str | None) -> JSONObject:
    """Return the 401 body for a wrong key; it quotes the key, so a recorder must hide it there too."""
    if key is None:
        message = (
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer"
            " auth (i.e. Authorization: Bearer YOUR_KEY)."
        )
    else:
        message = (
            f"Incorrect API key provided: {key}. You can find your API key at"
            " https://platform.openai.com/account/api-keys."
        )
    return error(401, message=message)
