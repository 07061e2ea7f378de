"""Reading and writing cassettes through the store itself, where a session for each would take too long."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from intercept.answers import Array
from intercept.canonical import loads
from intercept.capabilities import Subject
from intercept.cassette import format as form
from intercept.cassette.extending import Extender
from intercept.cassette.index import Cassette, Key
from intercept.cassette.layouts import Layout, layout_of
from intercept.cassette.replayer import Replayer
from intercept.identity import request_hash
from intercept.paths import Location
from intercept.spi import JSON, Call


def nobody_knows(_: Subject) -> None:
    """Tell nothing of what a model can do."""


def layout_at(path: Path) -> Layout:
    """Return the layout of what lies at a path, or may: without a suffix it is a folder."""
    return layout_of(Location(path, folder=not path.suffix))


@contextmanager
def opened(path: Path) -> Generator[tuple[Cassette, list[str]]]:
    """Open a cassette, and give with it what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cassette = layout_at(path).read()
    try:
        yield cassette, [str(warning.message) for warning in caught]
    finally:
        cassette.close()


every_layout = pytest.mark.parametrize("name", ["x.jsonl", "x"], ids=["file", "folder"])


def call_of(text: str = "hi") -> Call:
    """Return the call that asks this question."""
    body: JSON = {"input": text}
    return Call("openai", "openai", "POST /embeddings", "POST", "/embeddings", body=body, model="m")


def key_of(call: Call) -> Key:
    """Return what a call is known by."""
    return call.adapter, request_hash(call.adapter, call.provider, call.request)


def exchange(call: Call, answer: JSON = "", **changes: Any) -> form.Exchange:
    """Return a call with an answer, which is kept as text if it is one."""
    kind = "text" if isinstance(answer, str) else "json"
    array = Array()
    array.add({kind: answer})
    facts: dict[str, Any] = {"occurrence": 0, "status": 200, "headers": (), "end": "complete", **changes}
    return form.Exchange(call=call, request_hash=key_of(call)[1], events=array.end(), **facts)


def written(text: str = "hi", answer: JSON = "", **changes: Any) -> bytes:
    """Write the row of a question and its answer."""
    return b"".join(form.row(exchange(call_of(text), answer, **changes)))


def extended(path: Path, *questions: str, answer: JSON = "added") -> list[str]:
    """Add a row for each question, as a session in the mode `extend` does; return what it would warn of at its end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        extender = Extender(layout_at(path), origin=form.Origin({"openai": "3.57.0"}, "x"), run=None, caps=nobody_knows)
    try:
        for text in questions:
            call = call_of(text)
            extender.write(extender.claim(key_of(call)), exchange(call, answer))
    finally:
        extender.close()
        if extender.cassette is not None:
            extender.cassette.close()
    return extender.remarks


def rows_of(cassette: Cassette) -> list[dict[str, Any]]:
    """Return every row, in the order of the cassette."""
    return [cast("dict[str, Any]", loads(cassette.source.text(place))) for _, place in cassette.in_order()]


def answers(path: Path, text: str = "hi") -> list[str]:
    """Return every answer to a question, in the order of serving."""
    call = call_of(text)
    with opened(path) as (cassette, _):
        replayer = Replayer(cassette)
        count = len(replayer.places(key_of(call)))
        taken = [replayer.take(call, key_of(call)) for _ in range(count)]
        return [b"".join(served[0].chunks).decode() for served in taken if served is not None]
