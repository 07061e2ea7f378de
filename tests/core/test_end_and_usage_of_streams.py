"""How a stream ended and what it used are read into its row, however its events are written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, ask, each

pytestmark = pytest.mark.usefixtures("no_run")

_EVENTS: list[tuple[str, dict[str, Any]]] = [
    (
        "message_start",
        {
            "type": "message_start",
            "message": {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "claude-test",
                "content": [],
                "stop_reason": None,
                "usage": {"input_tokens": 7, "output_tokens": 1},
            },
        },
    ),
    ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 12}}),
    ("message_stop", {"type": "message_stop"}),
]


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _padded(name: str, data: object) -> str:
    return f"event: {name}\ndata: {_compact(data)[:-1]}      }}\n\n"


_FRAMES: dict[str, Callable[[str, object], str]] = {
    "compact": lambda name, data: f"event: {name}\ndata: {_compact(data)}\n\n",
    "spaced": lambda name, data: f"event: {name}\ndata: {json.dumps(data)}\n\n",
    "padded, as Anthropic does": _padded,
    "CRLF": lambda name, data: f"event: {name}\r\ndata: {_compact(data)}\r\n\r\n",
    "CR": lambda name, data: f"event: {name}\rdata: {_compact(data)}\r\r",
    "no blank after the colon": lambda name, data: f"event:{name}\ndata:{_compact(data)}\n\n",
    "an id": lambda name, data: f"id: 1\nevent: {name}\ndata: {_compact(data)}\n\n",
    "two lines of data": lambda name, data: f"event: {name}\ndata: {_compact(data)[:-1]}\ndata: }}\n\n",
}


@pytest.mark.parametrize("frame", _FRAMES.values(), ids=_FRAMES.keys())
def test_end_and_usage_of_a_stream_are_read_however_it_is_written(
    frame: Callable[[str, object], str], provider: Provider, cassette: Path
) -> None:
    """They are told by the provider's events, not by the form in which we can store them."""
    caller = next(caller for caller in CALLERS if caller.sdk == "anthropic" and not caller.is_async)
    chunks = tuple(frame(name, data).encode() for name, data in _EVENTS)
    provider.answer(Answer(content_type="text/event-stream", chunks=chunks))

    async def asked(client: Any) -> int:
        return len(await each(await ask(client, stream=True)))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(asked, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(asked, caller.client(provider.url))

    row = json.loads(cassette.read_bytes().splitlines()[1])
    usage = {"input": 7, "cache_read": 0, "cache_write": 0, "output": 12, "reasoning": 0}
    assert (recorded, replayed) == (3, 3)
    assert (row["end"], row["usage"], row["usage_semantics"]) == ("complete", usage, "anthropic-cache-additive-v1")
    assert session.usage == intercept.Usage(input=7, output=12)
