"""Where the OpenAI API has what must stay as it is: blobs that only it can read, ids, and media in base64.

As openai-python 3.57 types its requests, answers and events.
"""

from __future__ import annotations

from typing import Final

from intercept.spi import Call

_ITEM: Final = (
    *("encrypted_content", "id", "call_id", "result", "approval_request_id"),
    *("content[*].image_url", "content[*].file_data", "content[*].input_audio.data", "content[*].file_id"),
    *("output.image_url", "output[*].image_url", "output[*].file_data", "content[*].annotations[*].file_id"),
)
"""In an item of the Responses API, asked or answered."""

_MESSAGE: Final = (
    *("tool_calls[*].id", "tool_call_id", "audio.id", "audio.data"),
    *("content[*].image_url.url", "content[*].input_audio.data", "content[*].file.file_data"),
    *("reasoning_details[*].data", "reasoning_details[*].signature", "reasoning_details[*].id"),
)
"""In a message of chat completions."""

_PLACES: Final = (
    *(f"{before}{place}" for before in ("input[*].", "output[*].", "data[*].", "item.") for place in _ITEM),
    *(f"response.output[*].{place}" for place in _ITEM),
    *(
        f"{before}{place}"
        for before in ("messages[*].", "choices[*].message.", "choices[*].delta.")
        for place in _MESSAGE
    ),
    *("id", "response.id", "item_id", "response_id", "previous_response_id", "system_fingerprint", "obfuscation"),
    *("data[*].embedding", "data[*].b64_json", "b64_json", "partial_image_b64", "audio"),
)


def untouched(call: Call) -> tuple[str, ...]:
    """Name the places; the ids of organisations and projects, which the admin API answers, tell who asked."""
    return () if call.path.startswith("/organization") else _PLACES
