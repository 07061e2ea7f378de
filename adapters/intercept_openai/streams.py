"""Which server-sent event ends a stream of the OpenAI API."""

from __future__ import annotations

import json
import re
from typing import Final

from intercept.spi import JSON, Call

# The event types by which each streaming endpoint says that nothing follows (openai-python 3.57, `types/`).
_LAST: Final = re.compile(
    r"response\.(completed|failed|incomplete)"  # responses
    r"|thread\.run\.(completed|failed|cancelled|expired|incomplete|requires_action)"  # assistants
    r"|agent\.session\.(idle|requires_action|failed)"  # agents: the end of a turn
    r"|image_(generation|edit)\.completed|transcript\.text\.done|speech\.audio\.done"
    r"|done|error"
)


def is_terminal(call: Call, event: str | None, data: str) -> bool:
    """Whether the event ends the stream: `[DONE]`, a last event type, or an error in the place of an event."""
    if data.strip() == "[DONE]" or (event is not None and _LAST.fullmatch(event)):
        return True
    if '"type"' not in data and '"error"' not in data:
        return False
    try:
        parsed: JSON = json.loads(data)
    except ValueError:
        return False
    if not isinstance(parsed, dict):
        return False
    kind = parsed.get("type")
    if isinstance(kind, str) and _LAST.fullmatch(kind):
        return True
    return bool(parsed.get("error")) and call.path.endswith("completions")
