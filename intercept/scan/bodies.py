"""Texts and bytes wherever they stand: looked at as they are, unpacked, and joined where they are events."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import TYPE_CHECKING, Final

from intercept.redaction.views import LARGEST
from intercept.scan.streams import Joining, events_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intercept.scan.noting import Noting

GZIP: Final = b"\x1f\x8b"
CHUNK: Final = 1 << 20
"""Characters that are looked at in one go."""
_OVERLAP: Final = 32 * 1024
"""Characters that are looked at twice: longer than any secret."""
_BLANKS: Final = bytes(byte if 32 <= byte < 127 or byte in b"\t\r\n" else 32 for byte in range(256))  # noqa: PLR2004
_PRINTABLE: Final = re.compile(r"\S(?:\S| (?! )){6,}")
_DEEPEST: Final = 3
"""How often bytes may be packed."""


def decoded(content: bytes) -> str:
    """Return bytes as a text. Of those that are none the printable ones stay in their places, amid blanks."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.translate(_BLANKS).decode("ascii")


def unpacked(content: bytes) -> bytes:
    """Return what gzip has packed, bounded, and as far as it goes where it is cut off; other bytes as they are."""
    for _ in range(_DEEPEST):
        if not content.startswith(GZIP):
            break
        unpacking = zlib.decompressobj(31)
        try:
            content = unpacking.decompress(content, LARGEST)
        except zlib.error:
            content = _as_far_as_it_goes(content)
            break
    return content


def _as_far_as_it_goes(content: bytes) -> bytes:
    """Unpack in small steps, up to where the data is broken."""
    unpacking, parts, size = zlib.decompressobj(31), [b""], 0
    try:
        for start in range(0, len(content), 1024):
            parts.append(unpacking.decompress(content[start : start + 1024], LARGEST - size))
            size += len(parts[-1])
            if size >= LARGEST:
                break
    except zlib.error:
        pass
    return b"".join(parts) or content


def chunks(text: str) -> Iterator[tuple[int, str]]:
    """Cut a long text where lines or words end, with what stands before a cut once more behind it."""
    start = 0
    while len(text) - start > CHUNK:
        stop = _cut(text, start + _OVERLAP * 2, start + CHUNK)
        yield start, text[start:stop]
        start = _cut(text, stop - _OVERLAP * 2, stop - _OVERLAP)
    yield start, text[start:]


def _cut(text: str, least: int, most: int) -> int:
    for mark in ("\n", '"', " ", ","):
        at = text.rfind(mark, least, most)
        if at >= 0:
            return at + 1
    return most


class Bodies:
    """Looks at texts and bytes."""

    def __init__(self, joining: Joining) -> None:
        self._joining = joining

    def text(self, text: str, noting: Noting) -> None:
        """Look at a text, and at what its pieces are where it holds events."""
        if len(text) <= CHUNK:
            noting.text(text)
        else:
            for _, chunk in chunks(text):
                noting.text(chunk)
        self.joined(text, noting)

    def joined(self, text: str, noting: Noting) -> None:
        """Look at what the pieces are where a text holds events."""
        if "\n" in text:
            self._joining.look(events_in(text), noting)

    def bytes(self, content: bytes, noting: Noting) -> None:
        """Look at bytes, packed or not."""
        content = unpacked(content)
        text = decoded(content)
        if text.isascii() and not content.isascii():  # no text: what is printable in it is looked at alone
            text = "\n".join(_PRINTABLE.findall(text))
        self.text(text, noting)

    def base64(self, text: str, noting: Noting) -> None:
        """Look at what is written in base64, over lines or not; what is no base64 is a text."""
        try:
            content = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            self.text(text, noting)
        else:
            self.bytes(content, noting)
