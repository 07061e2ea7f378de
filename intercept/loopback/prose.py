"""Texts as a model hands them out: in words, in fragments, counted in tokens."""

from __future__ import annotations

import re

from intercept.loopback.jsontypes import as_list, as_object


def words(text: str) -> list[str]:
    """Return the text cut after each word; joined again it is the text."""
    return re.findall(r"\S+\s*|\s+", text)


def fragments(text: str, count: int = 3) -> list[str]:
    """Return the text cut into at most ``count`` parts anywhere, as tool arguments arrive."""
    size = max(1, -(-len(text) // count))
    return [text[at : at + size] for at in range(0, len(text), size)]


def tokens(value: object) -> int:
    """How many tokens all strings in a JSON value make (a word is one); at least one."""
    return max(1, _words_in(value))


def _words_in(value: object) -> int:
    if isinstance(value, str):
        return len(value.split())
    inner = [*as_object(value).values(), *as_list(value)]
    return sum(_words_in(one) for one in inner)
