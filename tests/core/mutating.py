"""Cassettes with random damage, by a seed: what disks, editors, merges and scripts may do to a file."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

Mutation = Callable[[random.Random, bytearray], None]

_TOKENS: Final = [
    *(b"\n", b"\r", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xf0\x9f"),
    *(b"null", b"true", b"NaN", b"-", b"1e999", b"-0", b"0.1", b"9" * 30, b"1" * 5_000, b'"\\ud83d"', b"\\u0000"),
    *(
        b'"occurrence":0,',
        b'"end":"closed",',
        b'"events":[],',
        b'"status":null,',
        b'"v":1,',
        b'"test":"a",',
        b"[[" * 99,
    ),
    *(b"<<<<<<< HEAD\n", b"=======\n", b'{"kind":"intercept-cassette","v":1,"hash_version":1}\n'),
]


def _flip(chance: random.Random, content: bytearray) -> None:
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _insert(chance: random.Random, content: bytearray) -> None:
    at = chance.randrange(len(content) + 1)
    content[at:at] = chance.choice(_TOKENS) if chance.random() < 0.7 else chance.randbytes(chance.randint(1, 4))


def _delete(chance: random.Random, content: bytearray) -> None:
    at = chance.randrange(len(content))
    del content[at : at + chance.choice([1, 1, 2, 5, 40, 400])]


def _overwrite(chance: random.Random, content: bytearray) -> None:
    at, token = chance.randrange(len(content)), chance.choice(_TOKENS)
    content[at : at + len(token)] = token


def _zero(chance: random.Random, content: bytearray) -> None:
    at = chance.randrange(len(content))
    size = min(chance.choice([1, 16, 512, 4096]), len(content) - at)
    content[at : at + size] = bytes(size)


def _cut(chance: random.Random, content: bytearray) -> None:
    del content[chance.randrange(len(content)) :]


def _copy(chance: random.Random, content: bytearray) -> None:
    start, at = chance.randrange(len(content)), chance.randrange(len(content))
    content[at:at] = content[start : start + chance.choice([1, 10, 200])]


def _lines(chance: random.Random, content: bytearray) -> None:
    """Swap two lines, give one twice, or leave one out."""
    lines = content.splitlines(keepends=True)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(3)
    if how == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif how == 1:
        lines.insert(other, lines[one])
    else:
        del lines[one]
    content[:] = b"".join(lines)


def _number(chance: random.Random, content: bytearray) -> None:
    """Put another value in the place of a number."""
    digits = [at for at, byte in enumerate(content) if 48 <= byte <= 57]
    if digits:
        at = chance.choice(digits)
        content[at : at + 1] = chance.choice(
            [b"-1", b"1.5", b"1e400", b"9007199254740992", b"null", b"[]", b"{}", b'""']
        )


MUTATIONS: Final[list[Mutation]] = [_flip, _insert, _delete, _overwrite, _zero, _cut, _copy, _lines, _number]


def seeded(seed: str) -> random.Random:
    """Return what decides on the damage; the same each time."""
    return random.Random(seed)  # noqa: S311  no secret is made of it


def mutated(chance: random.Random, whole: bytes) -> bytes:
    """Damage a file at one to three places."""
    content = bytearray(whole)
    for _ in range(chance.choice([1, 1, 2, 3])):
        if content:
            chance.choice(MUTATIONS)(chance, content)
    return bytes(content)
