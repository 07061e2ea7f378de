"""What only the provider can read: kept to the byte where the provider has it, and searched wherever else it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from intercept.spi import JSON
from intercept_anthropic.places import untouched as anthropic_places
from intercept_openai.places import untouched as openai_places
from tests.core.redacting import CALL, answered, asked
from tests.core.secrets import secret

KEY = secret("openai project 58").text
SEALED = f"E_{KEY}"
"""A key stands at the start of a token here; where it is sealed it is none."""
_REDACTED = "redacted_thinking"
KNOWN = "known-" + "K1" * 10


def _message(value: JSON) -> JSON:
    return {"messages": [{"role": "assistant", "content": [value]}]}


_ASKED: dict[str, tuple[Callable[[Any], Any], JSON]] = {
    "thinking": (anthropic_places, _message({"type": "thinking", "thinking": "x", "signature": SEALED})),
    "redacted thinking": (anthropic_places, _message({"type": "redacted_thinking", "data": SEALED})),
    "image": (anthropic_places, _message({"type": "image", "source": {"type": "base64", "data": SEALED}})),
    "tool result": (anthropic_places, _message({"type": "tool_result", "tool_use_id": SEALED, "content": "ok"})),
    "citation": (anthropic_places, _message({"type": "text", "text": "x", "citations": [{"encrypted_index": SEALED}]})),
    "reasoning": (openai_places, {"input": [{"type": "reasoning", "encrypted_content": SEALED, "id": SEALED}]}),
    "call": (openai_places, {"messages": [{"role": "tool", "tool_call_id": SEALED, "content": "ok"}]}),
    "data URL": (openai_places, _message({"type": "image_url", "image_url": {"url": f"data:x;base64,{SEALED}"}})),
}  # fmt: skip


@pytest.mark.parametrize("name", _ASKED)
def test_a_sealed_value_is_asked_again_as_it_was_given(name: str) -> None:
    """Changed by a letter the provider refuses it; a credential that is known is hidden even there."""
    places, body = _ASKED[name]

    stored = asked(replace(CALL, body=body), untouched=tuple(places(CALL)))[0].body
    known = asked(replace(CALL, body=json.loads(json.dumps(body).replace(SEALED, KNOWN))), KNOWN,
                  untouched=tuple(places(CALL)))[0].body  # fmt: skip

    assert stored == body
    assert KNOWN not in json.dumps(known)


@pytest.mark.parametrize(
    "body",
    [
        _message({"type": "tool_use", "input": {"signature": KEY, "data": KEY, "encrypted_content": KEY}}),
        _message({"type": "text", "text": KEY, "data": KEY}),
        _message({"type": "document", "source": {"type": "text", "data": KEY}}),
        _message({"type": "image", "source": {"type": "url", "url": f"https://host/?key={KEY}", "data": f"https://{KEY}"}}),
        {"tools": [{"input_schema": {"default": {"signature": KEY}}}], "signature": KEY},
    ],
)  # fmt: skip
def test_a_field_of_the_same_name_elsewhere_is_searched(body: JSON) -> None:
    """In the input of a tool, in text, in a document of plain text, at the top."""
    stored = asked(replace(CALL, body=body), untouched=anthropic_places(CALL))[0].body

    assert KEY not in json.dumps(stored)


@pytest.mark.parametrize(
    ("places", "event"),
    [
        (anthropic_places, {"type": "content_block_delta", "delta": {"type": "signature_delta", "signature": SEALED}}),
        (anthropic_places, {"type": "content_block_start", "content_block": {"type": _REDACTED, "data": SEALED}}),
        (openai_places, {"type": "response.output_item.done", "item": {"id": SEALED, "encrypted_content": SEALED}}),
        (openai_places, {"id": "chatcmpl-1", "obfuscation": SEALED, "system_fingerprint": SEALED, "choices": []}),
        (openai_places, {"object": "list", "data": [{"embedding": SEALED, "b64_json": SEALED}]}),
    ],
)  # fmt: skip
def test_a_sealed_value_in_an_event_stays(places: Callable[[Any], Any], event: dict[str, Any]) -> None:
    """And the event with it."""
    body = f"data: {json.dumps(event, separators=(',', ':'))}\n\n".encode()

    (stored,) = answered("text/event-stream", body, untouched=tuple(places(CALL)))

    assert stored == {"data": event}


def test_what_is_inside_of_a_token_is_no_secret() -> None:
    """Blobs hold anything, in the middle."""
    stored = asked(replace(CALL, body={"blob": "A" + KEY.replace("-", "x")}))[0].body

    assert stored == {"blob": "A" + KEY.replace("-", "x")}
