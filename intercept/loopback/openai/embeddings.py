"""Embeddings: the same text always gives the same vector."""

from __future__ import annotations

import base64
import hashlib
import struct
from typing import TYPE_CHECKING

from intercept.loopback.jsontypes import as_list, compact
from intercept.loopback.openai.replies import reply
from intercept.loopback.prose import tokens

if TYPE_CHECKING:
    from intercept.loopback.answer import Answer
    from intercept.loopback.ask import Ask

_USUAL_DIMENSIONS = 16  # small, so that recordings of it can be read


def create(ask: Ask) -> Answer:
    """``POST /v1/embeddings``: one vector per input, as floats or as base64 of little-endian float32."""
    given = ask.body["input"]
    tokenised = bool(as_list(given)) and isinstance(as_list(given)[0], int)
    inputs = [given] if isinstance(given, str) or tokenised else as_list(given)
    dimensions = int(ask.body.get("dimensions") or _USUAL_DIMENSIONS)
    vectors = [_vector(compact(one), dimensions) for one in inputs]
    packed = ask.body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else vector}
        for index, vector in enumerate(vectors)
    ]
    used = {"prompt_tokens": tokens(given), "total_tokens": tokens(given)}
    return reply(ask, {"object": "list", "data": data, "model": ask.model, "usage": used})


def _vector(text: str, dimensions: int) -> list[float]:
    blocks = range(dimensions // 32 + 1)
    digest = b"".join(hashlib.sha256(f"{block}:{text}".encode()).digest() for block in blocks)
    # Halves of 1/256 are exact in float32, so both encodings carry the very same numbers.
    return [(byte - 127.5) / 256 for byte in digest[:dimensions]]


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
