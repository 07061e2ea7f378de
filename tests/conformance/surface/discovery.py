"""Every method of every resource of an SDK, found by looking at its client: there is no list of names."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any


@dataclass(frozen=True)
class Method:
    """A public method by its way from the client: the resource `beta.threads.runs`, the name `create`.

    One that can stream is found twice.
    """

    resource: str
    name: str
    streamed: bool = False

    def __str__(self) -> str:
        return f"{self.resource}.{self.name}{'(stream=True)' if self.streamed else ''}"

    def of(self, client: Any, view: str | None = None) -> Any:
        """Return the bound method, of the resource or of a view of it; None where the view lacks it."""
        resource = attrgetter(self.resource)(client)
        return getattr(resource, self.name) if view is None else getattr(getattr(resource, view), self.name, None)


def methods(client: Any) -> list[Method]:
    """Return every method that can be reached from a client."""
    return [
        Method(way, name, streamed)
        for way, resource in resources(client).items()
        for name in dir(resource)
        if not name.startswith("_") and inspect.ismethod(method := getattr(resource, name))
        for streamed in ((False, True) if _can_stream(method) else (False,))
    ]


def resources(client: Any) -> dict[str, Any]:
    """Return every resource that can be reached from a client, by its way from there."""
    return dict(_below(client, _bases(_sdk_of(client)), ""))


def resource_classes(client: Any) -> set[type]:
    """Return every resource class that the SDK defines for this kind of client, whether it can be reached or not."""
    package = importlib.import_module(f"{_sdk_of(client)}.resources")
    found = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    base = next(base for base in _bases(_sdk_of(client)) if isinstance(client.models, base))
    return {
        member
        for module in found
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, base) and member.__module__.startswith(package.__name__)
    }


def _can_stream(method: Any) -> bool:
    signature = inspect.signature(method)
    return "stream" in signature.parameters and "Stream" in str(signature.return_annotation)


def _sdk_of(client: Any) -> str:
    return type(client).__module__.partition(".")[0]


def _bases(sdk: str) -> tuple[type, type]:
    module: Any = importlib.import_module(f"{sdk}._resource")
    return module.SyncAPIResource, module.AsyncAPIResource


def _below(owner: Any, bases: tuple[type, type], way: str) -> Iterator[tuple[str, Any]]:
    for name in dir(owner.__class__):
        member = None if name.startswith("_") else getattr(owner, name)
        if isinstance(member, bases):
            yield f"{way}{name}", member
            yield from _below(member, bases, f"{way}{name}.")
