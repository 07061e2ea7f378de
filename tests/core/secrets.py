"""Secrets of every known class, made anew from a seed: no text that looks like one stands in the sources."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ALNUM: Final = string.ascii_letters + string.digits
WORDLIKE: Final = ALNUM + "-_"
_MARK: Final = "T3Blbk" + "FJ"
PART: Final = 8
"""Letters of a secret that must not be found anywhere: fewer may stand there by chance."""


@dataclass(frozen=True)
class Secret:
    """One secret: how it stands in a text, with its context where only that tells, and what of it is random.

    `header` and `parameter` are the names under which it travels, if it has one.
    """

    kind: str
    text: str
    drawn: tuple[str, ...]
    header: str | None = None
    parameter: str | None = None
    bare: str = ""

    def parts(self) -> set[str]:
        """Return all that must not be found: every run of letters of what is random."""
        return {run[at : at + PART] for run in self.drawn for at in range(len(run) - PART + 1)}

    def left_in(self, content: str) -> list[str]:
        """Return what of it a text holds, in steps of a few letters."""
        return [
            piece
            for run in self.drawn
            for piece in (run[start : start + PART] for start in range(0, len(run) - PART + 1, 4))
            if piece in content
        ]


class Maker:
    """Draws secrets; two makers with one seed draw the same."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(repr(seed))  # noqa: S311  the same in every run

    def draw(self, length: int, alphabet: str = ALNUM) -> str:
        """Draw letters, a digit among them."""
        while True:
            drawn = "".join(self._random.choices(alphabet, k=length))
            if any(letter.isdigit() for letter in drawn):
                return drawn

    def uuid(self) -> str:
        """Draw a UUID."""
        return str(uuid.UUID(int=self._random.getrandbits(128)))

    def all(self) -> list[Secret]:
        """Draw one of every class."""
        return [make(self, kind) for kind, make in CLASSES.items()]

    def again(self, secret: Secret) -> Secret:
        """Draw another of the same class; who asks stays the same."""
        return secret if secret.kind in IDENTITIES else CLASSES[secret.kind](self, secret.kind)


_Make = Callable[[Maker, str], Secret]


def _plain(before: str, length: int, after: str = "", alphabet: str = ALNUM) -> _Make:
    """Make the class of what begins with fixed letters."""

    def make(maker: Maker, kind: str) -> Secret:
        drawn = maker.draw(length, alphabet)
        return Secret(kind, f"{before}{drawn}{after}", (drawn,))

    return make


def _openai(kind_of_key: str, half: int, alphabet: str = WORDLIKE) -> _Make:
    def make(maker: Maker, kind: str) -> Secret:
        first, last = maker.draw(half, alphabet), maker.draw(half, alphabet)
        return Secret(kind, f"sk-{kind_of_key}{first}{_MARK}{last}", (first, last))

    return make


def _named(
    shown: str, length: int, alphabet: str = ALNUM, *, header: str | None = None, parameter: str | None = None
) -> _Make:
    """Make the class of what only its context tells; `shown` has braces where the secret stands."""

    def make(maker: Maker, kind: str) -> Secret:
        drawn = maker.draw(length, alphabet)
        return Secret(kind, shown.format(drawn), (drawn,), header, parameter, drawn)

    return make


def _sigv4(maker: Maker, kind: str) -> Secret:
    key, signature = maker.draw(16, string.ascii_uppercase + "234567"), maker.draw(64, "0123456789abcdef")
    scope = f"AKIA{key}/20260102/eu-west-1/bedrock/aws4_request"
    text = f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host;x-amz-date, Signature={signature}"
    return Secret(kind, text, (key, signature), "authorization", None, text)


def _jwt(maker: Maker, kind: str) -> Secret:
    parts = [base64.urlsafe_b64encode(f'{{"sub":"{maker.draw(20)}"}}'.encode()).decode().rstrip("=") for _ in "ab"]
    signature = maker.draw(43, WORDLIKE)
    # Of the parts that are JSON the first letters are the same in all.
    return Secret(kind, ".".join((*parts, signature)), (*(part[10:] for part in parts), signature))


def _userinfo(maker: Maker, kind: str) -> Secret:
    user, password = maker.draw(12), maker.draw(24)
    return Secret(kind, f"https://{user}:{password}@db.example.com/x", (password,))


def _basic(maker: Maker, kind: str) -> Secret:
    password = maker.draw(24)
    written = base64.b64encode(f"user:{password}".encode()).decode()
    return Secret(kind, f"Authorization: Basic {written}", (written[8:-4], password), "authorization", None, written)


def _pem(maker: Maker, kind: str) -> Secret:
    lines = [maker.draw(64, ALNUM + "+/") for _ in range(3)]
    name = "RSA PRIVATE" + " KEY"
    return Secret(kind, "\n".join((f"-----BEGIN {name}-----", *lines, f"-----END {name}-----")), tuple(lines))


def _organization(maker: Maker, kind: str) -> Secret:
    drawn = maker.uuid()
    return Secret(kind, f'{{"organization_uuid": "{drawn}"}}', (drawn,), "anthropic-organization-id", None, drawn)


def _email(maker: Maker, kind: str) -> Secret:
    drawn = maker.draw(14).lower()
    return Secret(kind, f"{drawn}@example.com", (drawn,))


_HEX: Final = "0123456789abcdef"

CLASSES: Final[dict[str, _Make]] = {
    "openai legacy": _openai("", 20, ALNUM),
    "openai project 74": _openai("proj-", 74),
    "openai project 58": _openai("proj-", 58),
    "openai service account": _openai("svcacct-", 74),
    "openai admin": _openai("admin-", 58),
    "openai ephemeral": _plain("ek_", 32),
    "openai session": _plain("sess-", 40),
    "anthropic api": _plain("sk-ant-api03-", 93, "AA", WORDLIKE),
    "anthropic admin": _plain("sk-ant-admin01-", 93, "AA", WORDLIKE),
    "anthropic oauth": _plain("sk-ant-oat01-", 96, "", WORDLIKE),
    "anthropic refresh": _plain("sk-ant-ort01-", 96, "", WORDLIKE),
    "openrouter": _plain("sk-or-v1-", 64, "", _HEX),
    "aws key id": _plain("AK" + "IA", 16, "", string.ascii_uppercase + "234567"),
    "aws secret": _named("aws_secret_access_key={}", 40, ALNUM + "/+"),
    "aws signature": _sigv4,
    "aws session token": _named("x-amz-security-token: {}", 120, ALNUM + "/+", header="x-amz-security-token",
                                parameter="X-Amz-Security-Token"),
    "bedrock": _plain("ABSK", 110, "==", ALNUM + "+/"),
    "azure key": _named("api-key: {}", 32, _HEX, header="api-key"),
    "azure long key": _named("api-key: {}", 84, header="api-key"),
    "azure shared access": _named(
        "https://x.blob.core.windows.net/c/b?sp=r&sv=2025-01-01&sr=b&sig={}%3D&se=2026", 43, parameter="sig"
    ),
    "google": _plain("AI" + "za", 35, "", WORDLIKE),
    "google oauth": _plain("ya29.", 60, "", WORDLIKE),
    "groq": _plain("gsk_", 52),
    "xai": _plain("xai-", 80),
    "hugging face": _plain("hf_", 34),
    "github": _plain("ghp_", 36),
    "github fine-grained": _plain("github_pat_", 82, "", ALNUM + "_"),
    "slack": _plain("xoxb-", 50, "", ALNUM + "-"),
    "stripe": _plain("sk_" + "live_", 24),
    "jwt": _jwt,
    "bearer": _named("Authorization: Bearer {}", 40, header="authorization"),
    "userinfo": _userinfo,
    "basic": _basic,
    "cookie": _named("Cookie: __cf_bm={}; path=/", 43, header="set-cookie"),
    "x-api-key": _named("x-api-key: {}", 36, header="x-api-key"),
    "url key": _named("https://example.com/v1/models?alt=sse&key={}", 30, parameter="key"),
    "private key": _pem,
    "openai organization": _plain("org-", 24),
    "anthropic organization": _organization,
    "e-mail": _email,
    "phone": _plain("+49", 11, "", string.digits[1:]),
}  # fmt: skip
"""How a secret of each class is made, by its name."""

IDENTITIES: Final = ("openai organization", "anthropic organization")
"""Those that are no secrets, but tell who asked: another is another request."""

NAMES: Final = tuple(CLASSES)


def secret(name: str, seed: object = 0) -> Secret:
    """Draw a secret of one class; another for another seed."""
    return CLASSES[name](Maker((name, seed)), name)
