"""Finding adapters: every one, our own included, comes through the entry-point group `intercept.adapters`."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from functools import cache
from typing import TYPE_CHECKING

from intercept.errors import ConfigError
from intercept.spi import Adapter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GROUP = "intercept.adapters"


@cache
def installed() -> Mapping[str, Adapter]:
    """Load all adapters; none of them imports its SDK."""
    found: dict[str, Adapter] = {}
    for entry in importlib.metadata.entry_points(group=GROUP):
        try:
            adapter = entry.load()
        except Exception as error:
            raise ConfigError(f"{entry.value}, the adapter {entry.name}, cannot be loaded: {error}") from error
        if isinstance(adapter, type) or not isinstance(adapter, Adapter):
            raise ConfigError(f"{entry.value}, the adapter {entry.name}, lacks what intercept.spi.Adapter asks for")
        found[adapter.name] = adapter
    return found


def chosen(names: Iterable[str] | None) -> dict[str, Adapter]:
    """Return the adapters asked for, all of them for None.

    Raises `ConfigError` for an unknown name, for one whose SDK is not installed, and where no SDK is there at all.
    """
    known = installed()
    if names is None:
        if not any(map(_sdk_is_installed, known.values())):
            names = ", ".join(adapter.distribution for adapter in known.values())
            raise ConfigError(
                f"None of the SDKs that intercept knows is installed: {names}.\n\n"
                "  Install the one your code calls, for example: pip install openai"
            )
        return dict(known)
    found: dict[str, Adapter] = {}
    for name in names:
        if name not in known:
            raise ConfigError(f'There is no adapter "{name}". Installed: {", ".join(sorted(known))}.')
        if not _sdk_is_installed(known[name]):
            raise ConfigError(
                f"The adapter {name} needs its SDK, and {known[name].distribution} is not installed.\n\n"
                f"  pip install {known[name].distribution}"
            )
        found[name] = known[name]
    return found


def versions(adapters: Iterable[Adapter]) -> dict[str, str]:
    """Return the versions of the adapters' SDKs, where they are installed."""
    found = {adapter.sdk: _version(adapter.distribution) for adapter in adapters}
    return {sdk: version for sdk, version in found.items() if version is not None}


@cache  # reading a distribution's metadata takes longer than all else at the start of a recording
def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _sdk_is_installed(adapter: Adapter) -> bool:
    try:
        return importlib.util.find_spec(adapter.sdk) is not None
    except ImportError:  # a finder forbids it, as test suites have it
        return False
    except ValueError:  # a stand-in without a spec is imported already
        return True
