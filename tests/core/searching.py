"""Looking for secrets as a thief would: in what bytes hold, and in what those decode to, again and again."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, cast
from urllib.parse import unquote

from tests.core.secrets import PART, Secret

_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_DEEPEST: Final = 5


def bytes_under(folder: Path) -> bytes:
    """Return the names and contents of all files below a folder."""
    return b"\n".join(
        str(path.relative_to(folder)).encode() + b"\n" + (path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    )


def left(content: bytes | str, secrets: Iterable[Secret]) -> list[str]:
    """Return the kinds of the secrets of which eight letters in a row can still be read."""
    kinds = {part: secret.kind for secret in secrets for part in secret.parts()}
    return sorted(
        {
            kinds[part]
            for text in _readings(content if isinstance(content, str) else content.decode("latin-1"), 0)
            for part in {text[at : at + PART] for at in range(len(text) - PART + 1)} & kinds.keys()
        }
    )


def strings(value: object) -> Iterator[str]:
    """Give every string of a JSON value, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in cast("dict[str, object]", value).items():
            yield name
            yield from strings(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)


def _readings(text: str, depth: int) -> Iterator[str]:
    yield text
    if depth == _DEEPEST:
        return
    if "\\" in text:
        for line in text.splitlines():
            try:
                inner = list(strings(json.loads(line)))
            except (ValueError, RecursionError):
                inner = [re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), line).replace("\\", "")]
            joined = "\0".join(inner)
            if joined != line:
                yield from _readings(joined, depth + 1)
    if "%" in text and (plain := unquote(text)) != text:
        yield from _readings(plain, depth + 1)
    for found in _BASE64.finditer(text):
        yield from _readings(_decoded(found[0]), depth + 1)


def _decoded(run: str) -> str:
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        content = base64.b64decode(bare[: len(bare) - (len(bare) % 4 == 1)] + "=" * (-len(bare) % 4))
    except binascii.Error:
        return ""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = zlib.decompressobj(31).decompress(content)
        except zlib.error:
            return ""
    return content.decode("latin-1") if content.isascii() else ""
