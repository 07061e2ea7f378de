"""The HTTP library under a request, `httpx` or `httpx2`: known by the request's class, never imported by name."""

from __future__ import annotations

import sys
from typing import Any, Final

_classes: Final[dict[Any, Any]] = {}


_NAMES: Final = ("httpx", "httpx2")


def is_known(client: Any) -> bool:
    """Whether a client is of one of the HTTP libraries that are patched, subclasses included."""
    return any(cls.__module__.partition(".")[0] in _NAMES for cls in type(client).__mro__)


def library_of(request: Any) -> Any:
    """Return the library whose request this is, subclasses included."""
    for cls in type(request).__mro__:
        name = cls.__module__.partition(".")[0]
        if name in _NAMES:
            return sys.modules[name]
    raise TypeError(f"{type(request)!r} is no request of httpx or httpx2")


def of_library(mixin: type[Any], library: Any, *bases: str) -> Any:
    """Make `mixin` a class of one library, which insists on being inherited from."""
    known = _classes.get((mixin, library, bases))
    if known is None:
        own = (getattr(library, base) for base in bases)
        known = _classes[mixin, library, bases] = type(mixin.__name__.lstrip("_"), (mixin, *own), {})
    return known
