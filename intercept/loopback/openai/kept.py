"""Objects the API keeps: found again, listed in pages, changed and deleted in the ways all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.openai.replies import reply
from intercept.loopback.paging import page
from intercept.loopback.route import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_PAGE = 20


def keep(ask: Ask, drawer: str, thing: JSONObject) -> JSONObject:
    """Put the thing into its drawer."""
    ask.shelf.drawer(drawer)[thing["id"]] = thing
    return thing


def found(ask: Ask, drawer: str, what: str, name: str | None = None) -> JSONObject:
    """Return the thing named in the path (the first name unless another is given), or refuse."""
    name = ask.name if name is None else name
    thing = ask.shelf.drawer(drawer).get(name)
    if thing is None:
        raise Refused(404, f"No {what} found with id '{name}'.")
    return thing


def listed(ask: Ask, things: Iterable[JSONObject], *, newest_first: bool = True) -> Answer:
    """Return a page; ``order`` turns it round."""
    ordered = list(things)
    if ask.option("order") == "desc" or (newest_first and ask.option("order") is None):
        ordered.reverse()
    return reply(ask, {"object": "list", **page(ask, ordered, _PAGE).body()})


def updated(ask: Ask, thing: JSONObject, *fields: str) -> Answer:
    """Take over the fields that the body names."""
    thing.update({field: ask.body[field] for field in fields if field in ask.body})
    return reply(ask, thing)


def deleted(ask: Ask, drawer: str, thing: JSONObject, kind: str) -> Answer:
    """Take the thing out of its drawer; ``kind`` is how the API calls what is left of it."""
    del ask.shelf.drawer(drawer)[thing["id"]]
    return reply(ask, {"id": thing["id"], "object": kind, "deleted": True})
