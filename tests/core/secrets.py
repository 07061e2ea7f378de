"""Secrets of every class, drawn at run time: no key-shaped text stands in a source file."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

_ALNUM: Final = string.ascii_letters + string.digits
_NAME: Final = _ALNUM + "_-"
_HEX: Final = "0123456789abcdef"


@dataclass(frozen=True)
class Secret:
    """One secret: the text in which it can be told, and the parts that must not be found anywhere."""

    text: str
    parts: tuple[str, ...]

    def left_in(self, content: str) -> list[str]:
        """Return the pieces of it, 8 letters and longer, that a text holds."""
        return [
            piece
            for part in self.parts
            for piece in (part[start : start + 8] for start in range(0, max(1, len(part) - 7), 4))
            if piece in content
        ]


class _Drawn:
    """Draws random texts, the same ones for one seed, and remembers them."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))  # noqa: S311  no cryptography: the same secret in every run
        self.parts: list[str] = []

    def __call__(self, length: int, letters: str = _ALNUM) -> str:
        text = "".join(self.random.choices(letters, k=length))
        # At least a digit, and no dash at an end: as real keys have it.
        text = "a1" + text[2:-1] + "z" if letters in (_ALNUM, _NAME) else text
        self.parts.append(text)
        return text


_SHAPES: Final[Mapping[str, Callable[[_Drawn], str]]] = {
    "openai legacy": lambda draw: "sk-" + draw(20) + "T3Blbk" + "FJ" + draw(20),
    "openai project 74": lambda draw: "sk-" + "proj-" + draw(74, _NAME) + "T3Blbk" + "FJ" + draw(74, _NAME),
    "openai project 58": lambda draw: "sk-" + "proj-" + draw(58, _NAME) + "T3Blbk" + "FJ" + draw(58, _NAME),
    "openai service account": lambda draw: "sk-" + "svcacct-" + draw(74, _NAME) + "T3Blbk" + "FJ" + draw(74, _NAME),
    "openai admin": lambda draw: "sk-" + "admin-" + draw(58, _NAME) + "T3Blbk" + "FJ" + draw(58, _NAME),
    "openai ephemeral": lambda draw: "ek_" + draw(32),
    "openai session": lambda draw: "sess-" + draw(40),
    "anthropic api": lambda draw: "sk-" + "ant-api03-" + draw(93, _NAME) + "AA",
    "anthropic admin": lambda draw: "sk-" + "ant-admin01-" + draw(93, _NAME) + "AA",
    "anthropic oauth": lambda draw: "sk-" + "ant-oat01-" + draw(93, _NAME) + "AA",
    "anthropic refresh": lambda draw: "sk-" + "ant-ort01-" + draw(93, _NAME) + "AA",
    "openrouter": lambda draw: "sk-" + "or-v1-" + draw(64, _HEX),
    "aws key id": lambda draw: "AK" + "IA" + draw(16, string.ascii_uppercase + "234567"),
    "aws signature": lambda draw: (
        f"AWS4-HMAC-SHA256 Credential={'AK' + 'IA'}{draw(16, string.ascii_uppercase + '234567')}/20260101/us-east-1/"
        f"bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature={draw(64, _HEX)}"
    ),
    "bedrock": lambda draw: "AB" + "SK" + draw(120, _ALNUM + "+/") + "=",
    "azure sas": lambda draw: (
        "https://x.blob.core.windows.net/a/b?sp=r&sv=2024-01-01&sr=b&se=2026-01-01T00%3A00%3A00Z&"
        f"sig={draw(43)}%3D"
    ),
    "google key": lambda draw: "AI" + "za" + draw(35, _NAME),
    "google oauth": lambda draw: "ya" + "29." + draw(60, _NAME),
    "groq": lambda draw: "gsk" + "_" + draw(52),
    "xai": lambda draw: "xai" + "-" + draw(80),
    "hugging face": lambda draw: "hf" + "_" + draw(34),
    "github": lambda draw: "gh" + "p_" + draw(36),
    "github fine-grained": lambda draw: "github" + "_pat_" + draw(22) + "_" + draw(59),
    "slack": lambda draw: "xox" + "b-" + "1234567890" + "-" + draw(24),
    "stripe": lambda draw: "sk" + "_live_" + draw(24),
    "jwt": lambda draw: "eyJ" + draw(20, _NAME) + ".eyJ" + draw(60, _NAME) + "." + draw(43, _NAME),
    "url userinfo": lambda draw: f"https://someone:{draw(20)}@host.example/path",
    "private key": lambda draw: (
        "-----BEGIN RSA PRIVATE" + " KEY-----\n" + "\n".join(draw(64, _ALNUM + "+/") for _ in range(4))
        + "\n-----END RSA PRIVATE" + " KEY-----"
    ),
    "openai organisation": lambda draw: "org-" + draw(24),
    "openai project id": lambda draw: "proj" + "_" + draw(24),
    "anthropic workspace": lambda draw: "wrkspc" + "_" + draw(24),
}  # fmt: skip
"""What is told by its own shape, wherever it stands."""

_IN_CONTEXT: Final[Mapping[str, Callable[[_Drawn], str]]] = {
    "aws secret": lambda draw: f"AWS_SECRET_ACCESS_KEY={draw(40, _ALNUM + '+/')}",
    "aws session token": lambda draw: f"X-Amz-Security-Token: {draw(120, _ALNUM + '+/')}",
    "azure key, 32 hex": lambda draw: f"api-key: {draw(32, _HEX)}",
    "azure key, 84": lambda draw: f"api-key: {draw(84)}",
    "bearer": lambda draw: f"Authorization: Bearer {draw(40)}",
    "basic": lambda draw: f"Authorization: Basic {base64.b64encode(f'someone:{draw(24)}'.encode()).decode()}",
    "cookie": lambda draw: f"Cookie: __cf_bm={draw(43)}; other=1",
    "x-api-key": lambda draw: f"x-api-key: {draw(40)}",
    "url key": lambda draw: f"https://host.example/v1/x?key={draw(39, _NAME)}&page=2",
    "password": lambda draw: f"password={draw(20)}",
}
"""What its context tells: a header's name, a parameter's, an assignment."""

_ON_REQUEST: Final[Mapping[str, Callable[[_Drawn], str]]] = {
    "e-mail": lambda draw: f"{draw(12)}@{'example'}.org",
    "phone": lambda draw: "+4420" + draw(9, "123456789"),
}

NAMES: Final = (*_SHAPES, *_IN_CONTEXT, *_ON_REQUEST)
"""Of all classes; the last two are looked for with `redact=[EMAIL, PHONE]`."""
SHAPED: Final = tuple(_SHAPES)


def secret(name: str, seed: object = 0) -> Secret:
    """Draw a secret of one class; another for another seed."""
    draw = _Drawn((name, seed))
    text = {**_SHAPES, **_IN_CONTEXT, **_ON_REQUEST}[name](draw)
    parts = [part for part in draw.parts if part in text]
    if name == "basic":
        parts = [text.rpartition(" ")[2]]
    return Secret(text, tuple(parts))
