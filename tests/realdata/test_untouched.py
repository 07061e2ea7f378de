"""Real bodies through redaction: what only the provider can read stays, and nothing goes that is no secret."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from intercept.canonical import NotCanonical, loads
from intercept.events import split, store
from intercept_anthropic.pieces import pieces as anthropic_pieces
from intercept_anthropic.places import untouched as anthropic_places
from intercept_openai.pieces import pieces as openai_pieces
from intercept_openai.places import untouched as openai_places
from tests.core.redacting import CALL, answered, asked

from .corpus import ABSENT, Recording, folder, recordings

pytestmark = pytest.mark.skipif(folder() is None, reason=ABSENT)

_NEVER = re.compile(
    r"^(encrypted_content|signature|encrypted_index|obfuscation|system_fingerprint|data|id|item_id|call_id|tool_use_id"
    r"|tool_call_id|response_id|previous_response_id|embedding|b64_json|request_id)$"
)
_HIDDEN = re.compile(r"\[REDACTED:([a-z-]+):x?[0-9a-f]+\]")
_ALLOWED = {"azure-sas", "openai-organization", "openai-user", "openai-project", "identity"}
"""What real bodies hold that is not to be stored: signed addresses of images, and who asked."""


def _values(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Give every text, with the name of its field."""
    if isinstance(value, dict):
        for each, item in cast("dict[str, Any]", value).items():
            yield from _values(item, each)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _values(item, name)
    elif isinstance(value, str):
        yield name, value


def _adapted(recording: Recording) -> dict[str, Any]:
    if "anthropic" in recording.provider:
        return {"pieces": anthropic_pieces, "untouched": anthropic_places(CALL)}
    return {"pieces": openai_pieces, "untouched": openai_places(CALL)}


def _content_type(recording: Recording) -> str:
    return next((value for name, value in recording.headers if name.lower() == "content-type"), "")


def _compared(recording: Recording) -> Iterator[tuple[str, str, str]]:
    """Give the name of each field of request and answer, what it held, and what is stored of it."""
    places = _adapted(recording)
    kind = _content_type(recording)
    before: list[Any] = [event.stored for event in store(kind, split(kind, [recording.body]))]
    after = answered(kind, recording.body, **places)
    assert len(before) == len(after)
    for old, new in zip(_values(before), _values(after), strict=True):
        yield old[0], old[1], new[1]
    try:
        request = loads(recording.request)
    except NotCanonical:
        return
    stored = asked(replace(CALL, body=request), untouched=places["untouched"])[0].body
    for old, new in zip(_values(request), _values(stored), strict=True):
        yield old[0], old[1], new[1]


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_a_real_body_is_stored_as_it_is_but_for_who_asked(recording: Recording) -> None:
    """Request and answer, every field."""
    for name, old, new in _compared(recording):
        if old == new:
            continue
        labels = set(_HIDDEN.findall(new))
        assert not _NEVER.match(name), name
        assert labels, (name, new)
        assert labels <= _ALLOWED, (name, labels)


def test_enough_of_it_was_looked_at() -> None:
    """Blobs, ids and media of every kind that the recordings hold."""
    counts = Counter(
        name
        for recording in recordings()
        for name, old, _ in _compared(recording)
        if _NEVER.match(name) and len(old) > 5
    )

    assert sum(counts.values()) > 300
    assert {"id", "item_id", "call_id", "tool_use_id", "encrypted_content", "signature", "data", "embedding"} <= {
        *counts
    }
