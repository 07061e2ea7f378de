"""Made-up arguments for any method, from the annotations of its parameters."""

from __future__ import annotations

import builtins
import collections.abc
import dataclasses
import inspect
import os
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union

import pydantic
import typing_extensions

from tests.conformance.surface.webhooks import signed

_PLAIN: Final[dict[Any, Any]] = {
    bool: True,
    int: 1,
    float: 1.5,
    bytes: b"abc",
    object: "anything",
    date: date(2025, 1, 2),
    datetime: datetime(2025, 1, 2, tzinfo=timezone.utc),
}
_PAYLOAD: Final = '{"id":"event_1"}'
_PLACE: Final = "/workspace/a.txt"  # where hosted environments take files
_REQUIRED: Final[Any] = typing_extensions.Required
_NOT_REQUIRED: Final[Any] = typing_extensions.NotRequired
_QUALIFIERS: Final = (Annotated, _REQUIRED, _NOT_REQUIRED)


class Unmakeable(Exception):
    """No value can be made up of this type."""


class Examples:
    """Makes values up; a local file is one in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "a.txt"
        self._file.write_bytes(b"abc")
        secret, headers = signed(_PAYLOAD)
        # What an SDK checks before anything is sent, and no type tells.
        self._known: dict[str, Any] = {
            "root": folder,
            "include": [self._file.name],
            "destination": "/workspace",
            "path": _PLACE,
            "payload": _PAYLOAD,
            "headers": headers,
            "secret": secret,
        }

    def arguments(self, function: Callable[..., Any], refusal: str = "") -> dict[str, Any]:
        """Return arguments for what a function requires, and for what its refusal to do without them names."""
        wanted = {
            name: parameter.annotation
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            and (parameter.default is parameter.empty or _is_named(name, refusal))
        }
        names = _Names({**vars(builtins), **inspect.unwrap(function).__globals__})
        hints = typing.get_type_hints(types.SimpleNamespace(__annotations__=wanted), {}, names)
        return {name: self._value(hints[name], name) for name in wanted}

    def _value(self, hint: Any, name: str) -> Any:
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if name in self._known:
            return self._known[name]
        if origin in _QUALIFIERS:
            return self._value(inner[0], name)
        if origin in (Union, types.UnionType):
            return self._one_of(inner, name)
        if origin is Literal:
            return inner[0]
        return self._instance(origin or hint, inner, name)

    def _one_of(self, options: Iterable[Any], name: str) -> Any:
        """Make a value of the first type that has one; of those of a file, the plainest."""
        if bytes in options and any(typing.get_origin(option) is tuple for option in options):
            return ("a.txt", b"abc")
        for option in sorted(options, key=lambda option: os.PathLike not in (option, typing.get_origin(option))):
            try:
                return self._value(option, name)
            except Unmakeable:
                continue
        raise Unmakeable(name)

    def _instance(self, kind: Any, inner: tuple[Any, ...], name: str) -> Any:
        if kind is str:
            return f"{name}_1"
        if kind in _PLAIN:
            return _PLAIN[kind]
        if kind is os.PathLike:
            return self._file
        required = _required(kind)
        if required is not None:
            made = {key: self._value(hint, key) for key, hint in required.items()}
            return kind.model_construct(**made) if _is_a(kind, pydantic.BaseModel) else kind(**made)
        if _is_a(kind, Mapping):
            return {_PLACE: self._value(inner[1], name)}
        if _is_a(kind, Iterable):
            return self._items(inner[0], name)
        raise Unmakeable(name)

    def _items(self, hint: Any, name: str) -> list[Any]:
        try:
            return [self._value(hint, name)]
        except Unmakeable:
            return []


class _Names(dict[str, Any]):
    """What annotations may name; some names are imported for type checkers only."""

    def __missing__(self, name: str) -> Any:
        return getattr(collections.abc, name, Any)


def _is_named(parameter: str, refusal: str) -> bool:
    """Whether a refusal asks for a parameter: `Expected either ('id' and 'name') or ('url')`, `id must be provided`."""
    quoted = re.search(r"\(('\w+'.*?)\)", refusal)
    if quoted is not None:
        return f"'{parameter}'" in quoted[1]
    return set(parameter.split("_")) <= set(re.findall(r"[a-z]+", refusal))


def _is_a(kind: Any, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _required(kind: Any) -> dict[str, Any] | None:
    """Return the required fields of a type with fields, None for any other."""
    if typing_extensions.is_typeddict(kind):
        hints = typing_extensions.get_type_hints(kind, include_extras=True)
        qualifiers: dict[str, Any] = {key: typing.get_origin(hint) for key, hint in hints.items()}
        # Annotations that are strings hide `Required` from the class itself.
        kept = kind.__required_keys__ | {key for key, found in qualifiers.items() if found is _REQUIRED}
        return {key: hints[key] for key in hints if key in kept and qualifiers[key] is not _NOT_REQUIRED}
    if _is_a(kind, pydantic.BaseModel):
        return {key: field.annotation for key, field in kind.model_fields.items() if field.is_required()}
    if dataclasses.is_dataclass(kind):
        hints, missing = typing.get_type_hints(kind), dataclasses.MISSING
        fields = dataclasses.fields(kind)
        return {f.name: hints[f.name] for f in fields if f.default is missing and f.default_factory is missing}
    return None
