"""Work that takes its time: each look at it finds it one step further, however fast or slow the looks follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intercept.loopback.jsontypes import JSONObject
    from intercept.loopback.shelf import Shelf, Step


def begin(shelf: Shelf, thing: JSONObject, *steps: Step) -> None:
    """Let the steps happen to the thing, one a look."""
    # By identity: a file has one id in every vector store that takes it in.
    shelf.ahead[id(thing)] = list(steps)


def look(shelf: Shelf, thing: JSONObject) -> JSONObject:
    """Return the thing, one step further if any is left."""
    steps = shelf.ahead.get(id(thing))
    if steps:
        thing.update(steps.pop(0)())
    return thing


def finish(shelf: Shelf, thing: JSONObject) -> JSONObject:
    """Return the thing with all its steps behind it."""
    while shelf.ahead.get(id(thing)):
        look(shelf, thing)
    return thing


def stop(shelf: Shelf, thing: JSONObject, **fields: object) -> JSONObject:
    """Let nothing more happen to the thing; return it with the fields that say so."""
    shelf.ahead.pop(id(thing), None)
    thing.update(fields)
    return thing
