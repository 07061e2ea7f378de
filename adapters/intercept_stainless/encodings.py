"""Content encodings of answers: undone for storage, and never past a limit.

The HTTP library's own decoders do it, so that what is stored is what the application got, and breaks where it broke.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

LIMIT: Final = 64 * 1024 * 1024
"""Bytes that an answer may have once it is decoded."""

MOST: Final = 5
"""Encodings that one answer may have, one around the other; curl undoes no more either."""

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


def decoded(
    library: Any, encodings: list[str], chunks: list[bytes], *, whole: bool
) -> tuple[list[bytes], Exception | None]:
    """Undo the encodings of a body that was read in these chunks; raise `TooLong` past the limit.

    Returns what it gave, and the library's `DecodingError` if it is not as its encodings say. Where it is not `whole`,
    its end is not missed.
    """
    if not _is_bounded(library):
        parts, fault = _limited(library, _in_slices(library, encodings, chunks, whole=whole))
        if fault is None:
            return parts, None
        # Now that it is known to be short: as the application met it, which got nothing of the chunk with the fault.
    return _limited(library, _as_read(library, encodings, chunks, whole=whole))


def _limited(library: Any, decoding: Iterator[bytes]) -> tuple[list[bytes], Exception | None]:
    parts: list[bytes] = []
    size = 0
    try:
        for part in decoding:
            size += len(part)
            if size > LIMIT:
                raise TooLong
            parts.append(part)
    except _NoEnd:
        pass
    except library.DecodingError as error:
        return parts, error
    return parts, None


def _is_bounded(library: Any) -> bool:
    """Whether its decoders give a megabyte at a time; others decode whatever they are given at once."""
    return hasattr(library._decoders, "MAX_DECODE_CHUNK_SIZE")  # noqa: SLF001  no public reader


def _as_read(library: Any, encodings: list[str], chunks: Iterable[bytes], *, whole: bool) -> Iterator[bytes]:
    headers = {"content-encoding": ", ".join(encodings)}
    content = chunks if whole else _without_end(chunks)
    yield from library.Response(200, headers=headers, content=iter(content)).iter_bytes()


class _NoEnd(Exception):
    """A body ends here without its end."""


def _without_end(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Keep a decoder from missing what nobody has read."""
    yield from chunks
    raise _NoEnd


def _in_slices(library: Any, encodings: list[str], chunks: Iterable[bytes], *, whole: bool) -> Iterator[bytes]:
    """Decode in slices, layer by layer: a kilobyte can hold a gigabyte."""
    for name in reversed(encodings):
        chunks = _layer(library._decoders.SUPPORTED_DECODERS[name](), chunks, _SLICES.get(name, _SLICE), whole=whole)  # noqa: SLF001
    yield from chunks


def _layer(decoder: Any, chunks: Iterable[bytes], size: int, *, whole: bool) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), size):
            if part := decoder.decode(chunk[start : start + size]):
                yield part
    if whole and (part := decoder.flush()):
        yield part
