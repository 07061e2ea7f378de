"""Redaction of real requests and answers: it hides what tells who asked, and nothing else is changed in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from intercept import adapters, events
from intercept.answers import Answer
from intercept.identity import identified
from intercept.redaction import Redactor
from intercept.redaction.positions import compiled
from intercept.spi import JSON, Call

from .corpus import ABSENT, folder, recordings

if TYPE_CHECKING:
    from .recording import Recording

pytestmark = pytest.mark.skipif(folder() is None, reason=ABSENT)

_HIDDEN: Final = re.compile(r"(?:org|user|proj)[-_][A-Za-z0-9]{24}|(?<=sig=)[A-Za-z0-9%+/=]{40,}")
"""All that is one in these recordings: ids of organisations and users, and signatures in addresses of images."""
_LABELS: Final = re.compile(
    r"\[REDACTED:(?:openai-organization|openai-user|openai-project):x[0-9a-f]{8}\]|\[REDACTED:azure-sas:\d\]"
)


def _leaves(value: JSON, place: str = "") -> Iterator[tuple[str, JSON]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{place}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{place}.{number}")
    else:
        yield place, value


def _sides(recording: Recording) -> Iterator[tuple[JSON, JSON]]:
    """Give what was asked and answered as it came, and as a row would have it."""
    name = "anthropic" if "anthropic" in recording.provider else "openai"
    adapter = adapters.installed()[name]
    try:
        asked: JSON = json.loads(recording.request)
    except ValueError:
        asked = None
    call = Call(name, name, "POST /x", recording.method, recording.path, body=asked)
    untouched = compiled(tuple(adapter.untouched(call)))
    redactor = Redactor()
    kept, _, redaction = identified(call, redactor, untouched)
    yield asked, kept.body
    answer = Answer(redaction, redactor.custom, untouched, adapter.pieces)
    stored: list[Any] = []
    kind = next((value for header, value in recording.headers if header.lower() == "content-type"), "")
    for event in events.store(kind, events.split(kind, [recording.body])):
        stored.append(json.loads(json.dumps(event.stored)))
        answer.add(event.stored, event.carried)
    yield stored, json.loads(b"".join(answer.end()))


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_only_identities_and_signatures_are_hidden(recording: Recording) -> None:
    """Reasoning, signatures of thoughts, ids, embeddings and media stay to the byte, and so does the rest."""
    for before, after in _sides(recording):
        was, now = list(_leaves(before)), list(_leaves(after))
        assert [place for place, _ in was] == [place for place, _ in now]
        for (place, old), (_, new) in zip(was, now, strict=True):
            if old != new:
                assert _LABELS.sub("", str(new)) == _HIDDEN.sub("", str(old)), place
