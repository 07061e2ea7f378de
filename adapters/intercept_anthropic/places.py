"""Where the Anthropic API has what must stay as it is: signatures and blobs that only it can read, ids, and media.

As anthropic-sdk-python 2.14 types its requests, answers and events.
"""

from __future__ import annotations

from typing import Final

from intercept.spi import Call

_BLOCK: Final = (
    *("signature", "id", "tool_use_id", "encrypted_content", "source{type=base64}.data", "source.file_id"),
    *("content[*].source{type=base64}.data", "content[*].source.file_id", "content[*].encrypted_content"),
    *("content.encrypted_stdout", "content.content.source{type=base64}.data", "content[*].file_id"),
    *("citations[*].encrypted_index", "content[*].citations[*].encrypted_index", "content.content[*].file_id"),
)
"""In a block of content."""


def _blocks(before: str) -> tuple[str, ...]:
    """Name the places in every block of a list; `data` is a blob in redacted thinking alone."""
    return (f"{before}content[*]{{type=redacted_thinking}}.data", *(f"{before}content[*].{place}" for place in _BLOCK))


_PLACES: Final = (
    *_blocks("messages[*]."),
    *_blocks("requests[*].params.messages[*]."),
    *_blocks(""),
    *_blocks("message."),
    *_blocks("result.message."),
    *(f"content_block.{place}" for place in _BLOCK),
    "content_block{type=redacted_thinking}.data",
    *("delta.signature", "delta.citation.encrypted_index", "delta.encrypted_content"),
    *("id", "message.id", "request_id", "result.message.id", "container.id", "container"),
)


def untouched(call: Call) -> tuple[str, ...]:
    """Name the places; the ids of organisations and workspaces, which the admin API answers, tell who asked."""
    return () if "/organizations" in call.path else _PLACES
