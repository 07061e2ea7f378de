"""Places in JSON that are never touched, as adapters name them.

`messages[*].content[*].signature` names a place from the top of a body down: a name for a field, `[*]` for every item
of a list. `source{type=base64}.data` names it in such objects alone. It says nothing of a field of this name anywhere
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from intercept.spi import JSON

_STEP: Final = re.compile(r"(\[\*\]|[^.\[\]{}]+)(?:\{(\w+)=(\w+)\})?\.?")
ANY: Final = "[*]"
"""The step to every item of a list."""

_Step = tuple[str, str, str]


@dataclass(frozen=True)
class Node:
    """A place on the way to named ones, or (`end`) a named one."""

    steps: Mapping[str, Node] = field(default_factory=dict[str, "Node"])
    conditions: Mapping[str, tuple[tuple[str, str, Node], ...]] = field(
        default_factory=dict[str, "tuple[tuple[str, str, Node], ...]"]
    )
    end: bool = False

    def below(self, step: str, value: JSON) -> Node:
        """Return the place of a field or item with this value."""
        if isinstance(value, dict):
            for name, wanted, node in self.conditions.get(step, ()):
                if value.get(name) == wanted:
                    return node
        return self.steps.get(step, NOWHERE)


NOWHERE: Final = Node()


@lru_cache(maxsize=64)
def compiled(places: tuple[str, ...]) -> Node:
    """Make a tree of places."""
    return _tree([_STEP.findall(place) for place in places])


def _tree(places: Iterable[list[_Step]]) -> Node:
    open_to_all: dict[str, list[list[_Step]]] = {}
    limited: dict[str, dict[tuple[str, str], list[list[_Step]]]] = {}
    end = False
    for steps in places:
        if not steps:
            end = True
            continue
        (step, name, wanted), rest = steps[0], steps[1:]
        if name:
            limited.setdefault(step, {}).setdefault((name, wanted), []).append(rest)
        else:
            open_to_all.setdefault(step, []).append(rest)
    return Node(
        {step: _tree(rest) for step, rest in open_to_all.items()},
        {
            step: tuple((*case, _tree(rest + open_to_all.get(step, []))) for case, rest in cases.items())
            for step, cases in limited.items()
        },
        end,
    )
