"""Noticing that a module is imported, or imported again, while sessions are active."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType


class Watcher(MetaPathFinder):
    """A finder that finds nothing itself: it has a module's own loader tell when the module is there.

    Unlike a hook that fires once, it also sees a module that is reloaded, or removed and imported anew.
    """

    def __init__(self, watched: Callable[[str], bool], imported: Callable[[ModuleType], None]) -> None:
        self._watched = watched
        self._imported = imported

    def install(self) -> None:
        """Look at imports from now on."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Look no more."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Ask the other finders, and put an ear on the loader they name."""
        if not self._watched(fullname):
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Telling(spec.loader, self._imported)
                return spec
        return None


class _Telling(Loader):
    """A module's own loader, which tells when it is done, and is out of the way then."""

    def __init__(self, loader: Any, imported: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._imported = imported

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._imported(module)
