"""Reads YAML into plain values only: whatever a tag asks for, nothing is imported, called or converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pathlib import Path

Tree = dict[str, Any]

_PYTHON = "tag:yaml.org,2002:python/"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"


class PlainLoader(yaml.SafeLoader):
    """Gives strings, bytes, numbers, booleans, null, lists and mappings, and refuses every other tag."""


def _bytes(loader: PlainLoader, node: yaml.ScalarNode) -> bytes:
    return loader.construct_yaml_binary(node)


def _text(loader: PlainLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _first_string(loader: PlainLoader, _suffix: str, node: yaml.Node) -> str:
    """Stand in for an object of Python by the first string it was made from.

    aiohttp's header names are written as `!!python/object/new:multidict._multidict.istr [Accept]`.
    """
    if isinstance(node, yaml.ScalarNode):
        return _text(loader, node)
    found = loader.construct_sequence(node, deep=True) if isinstance(node, yaml.SequenceNode) else []
    return next((item for item in found if isinstance(item, str)), "")


PlainLoader.add_multi_constructor(_PYTHON, _first_string)  # pyright: ignore[reportUnknownMemberType] - untyped stub
# Ruby writes a local tag where YAML has a standard one; SafeLoader knows only the latter.
PlainLoader.add_constructor("!binary", _bytes)
# A date in a body was a string on the wire: as a datetime it could not be put back.
PlainLoader.add_constructor(_TIMESTAMP, _text)


def parsed(text: str | bytes) -> Any:
    """The plain values of one YAML document.

    Raises:
        yaml.YAMLError: it is not YAML, or has a tag that is not known here.

    """
    loader = PlainLoader(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def read(path: Path) -> Any:
    """The plain values of the one YAML document in a file."""
    return parsed(path.read_bytes())
