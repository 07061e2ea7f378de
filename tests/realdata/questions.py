"""From a recorded request to the SDK call that sends it: which method, with what."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from .doors import door
from .routes import routes_for
from .uploads import is_upload, parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import Recording

MENDED: dict[str, dict[str, Any]] = {"DataDog__dd-trace-py/completion_streamed.yaml#0": {"stream": True}}
"""Fields of a request, by the recording's name, that its recorder lost: this answer is a stream, unasked for."""

_CLIENT_LEVEL = frozenset({"beta", "api-version"})  # query that the namespace or the client adds by itself
_WORDS = {"true": True, "false": False}


class NotInSDKError(LookupError):
    """No method for a recording's endpoint is in the installed SDK."""


@dataclass(frozen=True, slots=True)
class Question:
    """A method of the SDK, as a path from the client on, and what to pass to it."""

    method: str  # "chat.completions.create"
    args: tuple[str, ...]
    kwargs: dict[str, Any]

    @property
    def streaming(self) -> bool:
        """Whether the method gives back a stream to be read to its end."""
        return self.kwargs.get("stream") is True

    def bound(self, client: object, view: str = "") -> Callable[..., Any]:
        """The method of this client; with a view, its twin under `with_streaming_response` or the like."""
        owner, _, name = self.method.rpartition(".")
        path = ".".join(part for part in (owner, view, name) if part)
        method: Callable[..., Any] = attrgetter(path)(client)
        return method


def question(client: object, recording: Recording) -> Question:
    """How this client, sync or async, is made to send this recording's request.

    Raises:
        NotInSDKError: the endpoint is not known here, or the installed SDK has no method for it.

    """
    routes = list(routes_for(recording))
    for route in routes:
        try:
            method = attrgetter(route.sdk)(client)
        except AttributeError:
            continue
        if route.sdk in {"get", "post"}:
            return Question(route.sdk, (), door(client, recording))
        return Question(route.sdk, route.ids(recording) or (), _fitted(method, recording))
    tried = ", ".join(route.sdk for route in routes) or "no method is known for it"
    message = f"{recording.method} {recording.path}: {tried}"
    raise NotInSDKError(message)


def _fitted(method: Callable[..., Any], recording: Recording) -> dict[str, Any]:
    """The request as keywords; a field this SDK has no keyword for goes the way it gives to such fields."""
    fields = {**_query(recording), **_body(recording), **MENDED.get(recording.name, {})}
    known = inspect.signature(method).parameters
    unknown = {key: value for key, value in fields.items() if key not in known}
    extra = "extra_query" if recording.method == "GET" else "extra_body"
    fitted = {key: value for key, value in fields.items() if key in known}
    return {**fitted, extra: unknown} if unknown else fitted


def _query(recording: Recording) -> dict[str, Any]:
    asked = parse_qsl(urlsplit(recording.url).query)
    return {key: _WORDS.get(value, value) for key, value in asked if key not in _CLIENT_LEVEL}


def _body(recording: Recording) -> dict[str, Any]:
    if is_upload(recording.request_type):
        found = parts(recording.request, recording.request_type)
        return {key: _WORDS.get(part, part) if isinstance(part, str) else part for key, part in found.items()}
    body: dict[str, Any] = json.loads(recording.request) if recording.request else {}
    return body
