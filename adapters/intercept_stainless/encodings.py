"""Content encodings of answers: undone for storage, layer by layer, and never past a limit.

The HTTP library's own decoders do it, so that what is stored is what the application got, and breaks where it broke.
They are fed in slices: some libraries decode whatever they are given at once, and a kilobyte can hold a gigabyte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

LIMIT: Final = 64 * 1024 * 1024
"""Bytes that an answer may have once it is decoded."""

_SLICES: Final = {"br": 16, "zstd": 512}
"""Bytes that hold at most some tens of megabytes."""
_SLICE: Final = 4096


class TooLong(Exception):
    """There is more in it than may be stored."""


def encodings_of(headers: Any) -> list[str]:
    """Return the encodings that a body has, in the order in which they were applied."""
    names: list[str] = headers.get_list("content-encoding", split_commas=True)
    return [name for name in (name.strip().lower() for name in names) if name not in ("", "identity")]


def unknown(library: Any, encodings: Iterable[str]) -> list[str]:
    """Return those that this HTTP library passes on as they are: it lacks them, or a package for them."""
    known = library._decoders.SUPPORTED_DECODERS  # noqa: SLF001  no public reader
    return [name for name in encodings if name not in known]


def decoded(library: Any, encodings: list[str], chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Undo encodings; raise the library's `DecodingError` where they are none, `TooLong` past the limit."""
    for name in reversed(encodings):
        chunks = _layer(library, name, chunks)
    yield from chunks


def _layer(library: Any, name: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    content = _sliced(chunks, _SLICES.get(name, _SLICE))
    size = 0
    for part in library.Response(200, headers={"content-encoding": name}, content=content).iter_bytes():
        size += len(part)
        if size > LIMIT:
            raise TooLong
        yield part


def _sliced(chunks: Iterable[bytes], size: int) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), size):
            yield chunk[start : start + size]
