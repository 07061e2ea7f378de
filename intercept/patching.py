"""Putting wrappers in place while sessions are active, and putting the very objects back when the last one ends."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from intercept import current
from intercept.errors import CannotPatch, InterceptWarning, warn
from intercept.importing import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from intercept.spi import Adapter, PatchPoint


@dataclass(frozen=True)
class _Undo:
    """How one place looked before: the object in `vars(owner)`, None if it was inherited, and what we put there."""

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
        self._broken: dict[str, CannotPatch] = {}
        self._watcher = Watcher(self._is_wanted, self._imported)

    def activate(self, adapters: Iterable[Adapter], points: Iterable[PatchPoint]) -> None:
        """Wrap what is imported already, and the rest when the application imports it.

        An exception on the way (there is none of ours) leaves everything as it was.
        """
        with self._lock:
            self._sessions += 1
            for point in points:
                self._wanted.setdefault(point, set())
            for adapter in adapters:
                self._adapters[adapter.name] = adapter
                for point in adapter.patch_points:
                    self._wanted.setdefault(point, set()).add(adapter.sdk)
            self._watcher.install()
            modules = dict.fromkeys(point.module for point in self._wanted)
        try:
            for name in modules:
                module = sys.modules.get(name)
                if _initializing(module):
                    # Another thread is importing it. Waited for without our lock, which that thread may need.
                    importlib.import_module(name)
                if module is None or _initializing(module):
                    continue  # not there yet, or being imported by this very thread: the watcher will tell
                with self._lock:
                    for text in self._place(module):
                        warn(text)
        except BaseException:
            self.deactivate()
            raise

    def deactivate(self) -> None:
        """Take one session off; after the last, `vars()` of every class holds the object it held before."""
        with self._lock:
            self._sessions -= 1
            if self._sessions:
                return
            self._watcher.remove()
            for undo in reversed(self._done):
                # Where someone wrapped our wrapper since, theirs stays; ours below it does nothing without a session.
                if cast("dict[str, Any]", vars(undo.owner)).get(undo.name) is not undo.ours:
                    continue
                if undo.before is None:
                    delattr(undo.owner, undo.name)
                else:
                    setattr(undo.owner, undo.name, undo.before)
            adapters = list(self._adapters.values())
            self._done.clear()
            self._wanted.clear()
            self._adapters.clear()
            self._broken.clear()
        for adapter in adapters:
            adapter.restore()

    def _is_wanted(self, module: str) -> bool:
        return any(point.module == module for point in list(self._wanted))

    def _imported(self, module: Any) -> None:
        """Patch what has just been imported; what is missing is told at the first call, never by the import."""
        with self._lock:
            if self._sessions:
                for text in self._place(module):
                    with contextlib.suppress(InterceptWarning):
                        warn(text)

    def _place(self, module: Any) -> list[str]:
        """Wrap the places of one module that are not wrapped yet, and return what must be said of missing ones."""
        points = [point for point in self._wanted if point.module == module.__name__]
        missing = [point for point in points if not self._wrap(module, point) and point.required]
        return [text for point in missing for text in self._missing(point)]

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
        found = getattr(owner, name, None) if before is None and point.inherited else before
        if found is None:
            return False
        if not any(undo.owner is owner and undo.name == name for undo in self._done):
            ours = wrapt.FunctionWrapper(found, self._guarded(point))
            setattr(owner, name, ours)
            self._done.append(_Undo(owner, name, before, ours))
        return True

    def _guarded(self, point: PatchPoint) -> Callable[..., Any]:
        """Refuse the calls of an SDK that could be patched only in part: they would go past us."""
        wrapper, broken = point.wrapper, self._broken
        # A place outside of the SDK's own package does not tell whose call it is.
        sdk = point.module.partition(".")[0]

        def guard(wrapped: Callable[..., Any], instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if sdk in broken and current.find() is not None:
                raise broken[sdk]
            return wrapper(wrapped, instance, args, kwargs)

        return guard

    def _missing(self, point: PatchPoint) -> list[str]:
        """Have the calls of every SDK refused that needs a place which is not there."""
        texts: list[str] = []
        for adapter in self._adapters.values():
            if point in adapter.patch_points and adapter.sdk not in self._broken:
                try:
                    version = importlib.metadata.version(adapter.distribution)
                except importlib.metadata.PackageNotFoundError:
                    version = "(version unknown)"
                error = CannotPatch(adapter.sdk, version, f"{point.module}.{point.target}")
                self._broken[adapter.sdk] = error
                texts.append(str(error))
        return texts


def _initializing(module: Any) -> bool:
    """Whether a module is in the middle of its import: what it lacks may still come."""
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


PATCHES: Final = Patches()
"""The one set of patches of this process."""
