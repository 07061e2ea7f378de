"""Canonical JSON and the request hash: what makes two requests the same request.

Keys sorted, no spaces, arrays in order, text unescaped, numbers as Python writes them: `1` differs from `1.0`, and
9007199254740993 from 9007199254740992. NaN, infinities and lone surrogates are refused: they are not JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from intercept.spi import JSON

HASH_VERSION: Final = 1
"""Version of the identity: a change of any rule here, or of what a request holds, raises it."""


class NotCanonical(ValueError):
    """The value or text has no canonical form."""


def _refuse(constant: str) -> NoReturn:
    raise NotCanonical(f"{constant} is not JSON")


def _without_duplicates(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotCanonical(f"{twice!r:.60} stands twice in one object")
    return found


_decoder: Final = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_without_duplicates)
_encoder: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def loads(text: bytes | str) -> JSON:
    """Parse strict JSON; raise `NotCanonical` for anything else, however deep or large, duplicate keys included."""
    try:
        value: JSON = _decoder.decode(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as error:
        raise NotCanonical(str(error)) from None
    return value


def text(value: JSON) -> str:
    """Write canonical JSON; raise `NotCanonical` where there is none. What it holds must still be fit for UTF-8."""
    try:
        return _encoder.encode(value)
    except (ValueError, RecursionError) as error:
        raise NotCanonical(str(error)) from None


def dumps(value: JSON) -> bytes:
    """Write canonical JSON in UTF-8; raise `NotCanonical` where there is none."""
    return encoded(text(value))


def encoded(text: str) -> bytes:
    """Encode canonical JSON; raise `NotCanonical` for a lone surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonical(str(error)) from None
