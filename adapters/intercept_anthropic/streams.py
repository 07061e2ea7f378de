"""Which server-sent event ends a stream of the Anthropic API."""

from __future__ import annotations

from typing import Final

from intercept.spi import Call

# anthropic-sdk-python 2.14: messages end by message_stop or error; session event streams by their last status.
_LAST: Final = frozenset({"message_stop", "error", "session.deleted", "session.status_terminated"})


def is_terminal(call: Call, event: str | None, data: str) -> bool:
    """Whether the event ends the stream; the legacy `/v1/complete` says so in its data."""
    if event in _LAST:
        return True
    if call.path.endswith("/complete"):
        return event == "completion" and '"stop_reason": null' not in data and '"stop_reason":null' not in data
    return event is None and '"message_stop"' in data
