"""Arbitrary JSON, for properties: any shape, any text that UTF-8 can hold, any number that JSON can write."""

from __future__ import annotations

from typing import Final, TypeAlias, cast

from hypothesis import strategies as st

from intercept.spi import JSON

Path: TypeAlias = "tuple[str | int, ...]"
"""Where a leaf stands: keys and indexes from the root."""

LEAVES: Final[st.SearchStrategy[JSON]] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**53 - 2, max_value=2**53 + 2),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)


def _nested(inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
    lists: st.SearchStrategy[JSON] = st.lists(inner, max_size=4).map(list)
    objects: st.SearchStrategy[JSON] = st.dictionaries(st.text(max_size=5), inner, max_size=4).map(dict)
    return lists | objects


VALUES: Final[st.SearchStrategy[JSON]] = st.recursive(LEAVES, _nested, max_leaves=12)
OBJECTS: Final[st.SearchStrategy[dict[str, JSON]]] = st.dictionaries(
    st.sampled_from(["method", "path", "query", "headers", "body"]), VALUES, min_size=1
)


def leaves(value: JSON, path: Path = ()) -> list[Path]:
    """List the paths of all values that hold no other."""
    inner: list[tuple[str | int, JSON]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [found for key, item in inner for found in leaves(item, (*path, key))] or [path]


def get(value: JSON, path: Path) -> JSON:
    """Return what stands at a path."""
    for key in path:
        value = value[str(key)] if isinstance(value, dict) else cast("list[JSON]", value)[int(key)]
    return value


def replaced(value: JSON, path: Path, leaf: JSON) -> JSON:
    """Return a copy with another leaf at a path."""
    if not path:
        return leaf
    first, *rest = path
    if isinstance(value, dict):
        return {key: replaced(item, tuple(rest), leaf) if key == first else item for key, item in value.items()}
    assert isinstance(value, list)
    return [replaced(item, tuple(rest), leaf) if place == first else item for place, item in enumerate(value)]


def nested(depth: int, *, objects: bool = False) -> JSON:
    """Return lists, or objects, that hold each other this deep."""
    value: JSON = 1
    for _ in range(depth):
        value = {"a": value} if objects else [value]
    return value


def nested_text(depth: int, *, objects: bool = False) -> bytes:
    """Return the same as JSON text, which no encoder could write."""
    opening, closing = (b'{"a":', b"}") if objects else (b"[", b"]")
    return opening * depth + b"1" + closing * depth
