"""What of a replay is not as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel

if TYPE_CHECKING:
    from intercept_demo.steps import Outcome

_EXCERPT = 60


def differences(recorded: Outcome, replayed: Outcome) -> Iterator[str]:
    """Tell what differs between one step's two outcomes; nothing if all of it is equal."""
    before, after = recorded.got, replayed.got
    assert not isinstance(before, Exception)  # a step that cannot be recorded ends the demo
    if isinstance(after, Exception):
        first_line, _, _ = str(after).partition("\n")
        yield f"the replay failed: {type(after).__name__}: {first_line}"
        return
    for name, one, other in (
        ("text", before.text, after.text),
        ("deltas", before.deltas, after.deltas),
        ("objects", before.objects, after.objects),
        ("tokens", (recorded.usage.input, recorded.usage.output), (replayed.usage.input, replayed.usage.output)),
    ):
        if found := difference(name, one, other):
            yield found
    if replayed.hits:
        yield f"{replayed.hits} requests reached the provider"


def difference(path: str, one: object, other: object) -> str | None:
    """Find the first place where two values differ, as `path: this, then that`; None if they are equal.

    SDK objects are equal when their types are the same and so is what `model_dump()` gives.
    """
    if type(one) is not type(other):
        return f"{path}: {type(one).__qualname__}, then {type(other).__qualname__}"
    found: Iterator[str | None] = iter(())
    if isinstance(one, BaseModel) and isinstance(other, BaseModel):
        # Without warnings: what `.parse` fills in is not of the type that the SDK's own model declares.
        found = iter([difference(path, one.model_dump(warnings=False), other.model_dump(warnings=False))])
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        here, there = cast("Mapping[str, Any]", one), cast("Mapping[str, Any]", other)
        found = (difference(f"{path}.{key}", here.get(key), there.get(key)) for key in {**here, **there})
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        these, those = cast("Sequence[Any]", one), cast("Sequence[Any]", other)
        if len(these) != len(those):
            return f"{path}: {len(these)} of them, then {len(those)}"
        found = (difference(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(these, those, strict=True)))
    elif one != other:
        return f"{path}: {_short(one)}, then {_short(other)}"
    return next((first for first in found if first), None)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 3]}..."
