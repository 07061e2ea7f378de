"""Redaction without a session: of texts, of requests, and of the events of an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from intercept.answers import Answer
from intercept.events import split, store
from intercept.identity import identified
from intercept.redaction import Redactor
from intercept.redaction.custom import Custom, Wish
from intercept.redaction.positions import NOWHERE, compiled
from intercept.redaction.redactor import Redaction
from intercept.spi import JSON, Call, Piece

CALL = Call("openai", "openai", "POST /chat/completions", "POST", "/chat/completions")


def redaction(*literals: str, wishes: Iterable[Wish] = ()) -> Redaction:
    """Begin the redaction of an exchange."""
    return Redaction(Redactor(literals, Custom(wishes)).finder)


def asked(call: Call, *literals: str, wishes: Iterable[Wish] = (), untouched: tuple[str, ...] = ()) -> tuple[Call, str]:
    """Return a call as it is stored, and its hash."""
    return identified(call, Redactor(literals, Custom(wishes)), compiled(untouched))[:2]


def answered(
    content_type: str,
    body: bytes,
    *literals: str,
    wishes: Iterable[Wish] = (),
    untouched: tuple[str, ...] = (),
    pieces: Callable[[Mapping[str, JSON]], Iterable[Piece]] = lambda _: (),
) -> list[Any]:
    """Return the events of an answer as they are stored."""
    redactor = Redactor(literals, Custom(wishes))
    answer = Answer(Redaction(redactor.finder), redactor.custom, compiled(untouched) if untouched else NOWHERE, pieces)
    for event in store(content_type, split(content_type, [body])):
        answer.add(event.stored, event.carried)
    events: list[Any] = json.loads(b"".join(answer.end()))
    return events
