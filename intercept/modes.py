"""Which mode is in force, and who said so: the outermost human wins."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from intercept.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

Mode: TypeAlias = Literal["replay", "record", "update", "extend", "off"]

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
VARIABLE: Final = "INTERCEPT_MODE"

override: str | None = None
"""The mode a command line asked for; it beats every other."""


def resolve(in_code: str | None, root: Path) -> tuple[Mode, str]:
    """Return the mode and its source: command line, `INTERCEPT_MODE`, code, `[tool.intercept]`, else `replay`.

    Empty and None count as unset; names are stripped, in any case. Raises `ConfigError` for an unknown one.
    """
    candidates = (
        (override, "the command line"),
        (os.environ.get(VARIABLE), VARIABLE),
        (in_code, "mode= in code"),
        (project_settings(root).get("mode"), f"[tool.intercept] in {root / 'pyproject.toml'}"),
    )
    for value, source in candidates:
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"mode: {value!r}, by {source}, is no mode. The modes: {', '.join(MODES)}.")
        if value is not None and value.strip():
            return _mode(value, source), source
    return "replay", "default"


def _mode(value: str, source: str) -> Mode:
    name = value.strip().lower()
    for mode in MODES:
        if mode == name:
            return mode
    raise ConfigError(f'mode: "{value}", by {source}, is no mode. The modes: {", ".join(MODES)}.')


def project_settings(root: Path) -> Mapping[str, Any]:
    """Return the table `[tool.intercept]` of the project's pyproject.toml; empty without one."""
    path = root / "pyproject.toml"
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return {}
    return _settings(path, changed)


@lru_cache(maxsize=16)
def _settings(path: Path, _changed: int) -> Mapping[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        parsed: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    table: Any = parsed
    for name in ("tool", "intercept"):
        table = cast("dict[str, Any]", table).get(name, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: {name} must be a table, as in [tool.intercept]")
    return cast("dict[str, Any]", table)
