"""Which texts the Anthropic API sends piece by piece, as anthropic-sdk-python 2.14 types its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from intercept.spi import JSON, Piece

_CHANNELS: Final[Mapping[str, str]] = {"text": "text", "thinking": "thinking"}
"""What the start of a block may hold of the texts that its deltas go on with."""
_NO_TEXT: Final = frozenset({"type", "signature", "encrypted_content"})


def pieces(body: Mapping[str, JSON]) -> Iterator[Piece]:
    """Name the pieces in one event."""
    index = body.get("index")
    block, delta = body.get("content_block"), body.get("delta")
    place = index if isinstance(index, int) else None
    if isinstance(block, dict):
        for name, channel in _CHANNELS.items():
            if isinstance(block.get(name), str):
                yield Piece((channel, place), ("content_block", name))
    elif isinstance(delta, dict) and body.get("type") == "content_block_delta":
        for name, value in delta.items():
            if isinstance(value, str) and name not in _NO_TEXT:
                yield Piece((name, place), ("delta", name))
    elif isinstance(body.get("completion"), str) and body.get("type") == "completion":
        yield Piece(("completion",), ("completion",))  # of the legacy text completions
