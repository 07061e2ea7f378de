"""Putting wrappers in place while sessions are active, and putting the very objects back when the last one ends."""

from __future__ import annotations

import importlib.metadata
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from intercept import current
from intercept.errors import CannotPatch, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from intercept.spi import Adapter, PatchPoint


@dataclass(frozen=True)
class _Undo:
    """How one place looked before: the object in `vars(owner)`, and what we put there."""

    owner: Any
    name: str
    before: Any
    ours: Any


class Patches:
    """The wrappers of all active sessions: put in by the first, taken out after the last."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._sessions = 0
        self._adapters: dict[str, Adapter] = {}
        self._wanted: dict[PatchPoint, set[str]] = {}  # each place, and the SDKs that need it
        self._done: list[_Undo] = []
        self._placed: set[PatchPoint] = set()
        self._hooked: set[str] = set()
        self._broken: dict[str, CannotPatch] = {}

    def activate(self, adapters: Iterable[Adapter], points: Iterable[PatchPoint]) -> None:
        """Wrap what is imported already, and the rest when the application imports it.

        An exception on the way (there is none of ours) leaves everything as it was.
        """
        with self._lock:
            self._sessions += 1
            try:
                for point in points:
                    self._wanted.setdefault(point, set())
                for adapter in adapters:
                    self._adapters[adapter.name] = adapter
                    for point in adapter.patch_points:
                        self._wanted.setdefault(point, set()).add(adapter.sdk)
                for module in dict.fromkeys(point.module for point in self._wanted):
                    self._watch(module)
            except BaseException:
                self.deactivate()
                raise

    def deactivate(self) -> None:
        """Take one session off; after the last, `vars()` of every class holds the object it held before."""
        with self._lock:
            self._sessions -= 1
            if self._sessions:
                return
            for undo in reversed(self._done):
                # Where someone wrapped our wrapper since, theirs stays; ours below it does nothing without a session.
                if cast("dict[str, Any]", vars(undo.owner)).get(undo.name) is undo.ours:
                    setattr(undo.owner, undo.name, undo.before)
            for adapter in self._adapters.values():
                adapter.restore()
            self._done.clear()
            self._placed.clear()
            self._wanted.clear()
            self._adapters.clear()
            self._broken.clear()

    def _watch(self, module: str) -> None:
        if sys.modules.get(module) is not None:
            self._place(module)
        if module not in self._hooked:
            import wrapt

            self._hooked.add(module)
            wrapt.register_post_import_hook(self._imported, module)

    def _imported(self, module: Any) -> None:
        with self._lock:
            if self._sessions:
                self._place(module.__name__)

    def _place(self, name: str) -> None:
        module = sys.modules[name]
        for point in [point for point in self._wanted if point.module == name and point not in self._placed]:
            self._placed.add(point)
            if not self._wrap(module, point) and point.required:
                self._missing(point)

    def _wrap(self, module: Any, point: PatchPoint) -> bool:
        import wrapt

        *path, name = point.target.split(".")
        owner: Any = module
        for part in path:
            owner = cast("dict[str, Any]", vars(owner)).get(part)
            if owner is None:
                return False
        # vars(), not getattr(): getattr would bind the method and we would put the bound one back.
        before = cast("dict[str, Any]", vars(owner)).get(name)
        if before is None:
            return False
        ours = wrapt.FunctionWrapper(before, self._guarded(point))
        setattr(owner, name, ours)
        self._done.append(_Undo(owner, name, before, ours))
        return True

    def _guarded(self, point: PatchPoint) -> Callable[..., Any]:
        """Refuse the calls of an SDK that could be patched only in part: they would go past us."""
        wrapper, broken = point.wrapper, self._broken
        # A place that several SDKs share does not tell whose call it is.
        sdk = next(iter(self._wanted[point])) if len(self._wanted[point]) == 1 else ""

        def guard(wrapped: Callable[..., Any], instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if sdk in broken and current.find() is not None:
                raise broken[sdk]
            return wrapper(wrapped, instance, args, kwargs)

        return guard

    def _missing(self, point: PatchPoint) -> None:
        """Warn now, and refuse at the first call: the application's own import must not fail."""
        for adapter in self._adapters.values():
            if point in adapter.patch_points:
                version = importlib.metadata.version(adapter.distribution)
                error = CannotPatch(adapter.sdk, version, f"{point.module}.{point.target}")
                self._broken[adapter.sdk] = error
                warn(str(error))


PATCHES: Final = Patches()
"""The one set of patches of this process."""
