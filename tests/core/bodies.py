"""Content types of bodies, and a body as the events that a row stores."""

from __future__ import annotations

from intercept.events import split, store
from intercept.spi import JSON

SSE = "text/event-stream; charset=utf-8"
JSON_TYPE = "application/json"
LINES = "application/x-jsonl"


def as_stored(content_type: str, body: bytes) -> list[JSON]:
    """Return the events of a body as a row holds them, with nothing redacted."""
    return [event.stored for event in store(content_type, split(content_type, [body]))]
