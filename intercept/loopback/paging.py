"""One page of a list, cut by the query parameters of both providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


@dataclass(frozen=True, slots=True)
class Page:
    """Some objects of a list, and whether more follow."""

    data: Sequence[JSONObject]
    has_more: bool

    def body(self) -> JSONObject:
        """Return the fields both providers send."""
        return {
            "data": list(self.data),
            "has_more": self.has_more,
            "first_id": self.data[0]["id"] if self.data else None,
            "last_id": self.data[-1]["id"] if self.data else None,
        }


def page(ask: Ask, items: Sequence[JSONObject], usual: int) -> Page:
    """Return the page asked for with ``limit`` and ``after_id`` (OpenAI: ``after``), ``before_id`` or ``page``."""
    limit = int(ask.option("limit") or usual)
    ids = [item["id"] for item in items]
    before = ask.option("before_id")
    if before in ids:
        end = ids.index(before)
        start = max(0, end - limit)
        return Page(items[start:end], start > 0)
    after = ask.option("after_id") or ask.option("after") or (ask.option("page") or "").removeprefix("page_")
    start = ids.index(after) + 1 if after in ids else 0
    return Page(items[start : start + limit], start + limit < len(items))
