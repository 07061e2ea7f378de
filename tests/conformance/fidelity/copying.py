"""Copies and pickles of what an SDK gave: the copy, or how the attempt ends."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, Final

from tests.conformance.outcomes import seen


def _pickled(protocol: int) -> Callable[[Any], Any]:
    return lambda value: pickle.loads(pickle.dumps(value, protocol))  # noqa: S301  our own


COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": _pickled(protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
}


def copied(value: Any, describe: Callable[[Any], Any] = seen) -> dict[str, Any]:
    """Copy a value in every way there is, and describe each copy, or what is raised instead."""
    return {way: _attempt(make, value, describe) for way, make in COPIES.items()}


def _attempt(make: Callable[[Any], Any], value: Any, describe: Callable[[Any], Any]) -> Any:
    try:
        made = make(value)
    except Exception as error:  # noqa: BLE001  its class is compared
        return f"raises {type(error).__qualname__}"
    return [type(made) is type(value), describe(made)]
