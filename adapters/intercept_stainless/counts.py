"""Reading token counts out of what a provider tells of its usage."""

from __future__ import annotations

from collections.abc import Mapping

from intercept.spi import JSON, Contradiction


def count(told: Mapping[str, JSON], *names: str) -> int:
    """Return the first of the counts that is told and not 0; 0 without one, `Contradiction` for what is no number."""
    for name in names:
        value = told.get(name)
        if value is not None and not isinstance(value, int):
            raise Contradiction(f"{name} is {value!r:.40}")
        if value:
            return value
    return 0


def part(told: Mapping[str, JSON], *names: str) -> Mapping[str, JSON]:
    """Return the first of the parts that is told; an empty one without any."""
    for name in names:
        value = told.get(name)
        if isinstance(value, dict):
            return value
    return {}
