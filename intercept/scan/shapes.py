"""What parsed JSON or YAML is made of, as type checkers take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeGuard


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a list."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is an object of JSON; the names of its fields are texts."""
    return isinstance(value, dict)
