"""What secrets are called: JSON fields, headers, query parameters and environment variables whose value is one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

SHORTEST: Final = 16
"""A shorter value of a variable or a client is too likely to be part of an ordinary text."""

LONGEST: Final = 64
"""A longer name is a text, whatever word it ends with."""

ENDS: Final = (
    "password", "passwd", "passphrase", "secret", "secretkey", "apikey", "apisecret", "accesskey", "privatekey",
    "signingkey", "encryptionkey", "accesstoken", "refreshtoken", "idtoken", "authtoken", "bearertoken", "sessiontoken",
    "securitytoken", "clientsecret", "accessjwt", "refreshjwt", "sastoken", "connectionstring",
)  # fmt: skip
WHOLE: Final = frozenset(
    {"pwd", "jwt", "authorization", "proxyauthorization", "cookie", "setcookie", "credential", "xapikey", "pat"}
)
_FILLERS: Final = str.maketrans("", "", "_- .")

PARAMETERS: Final = (
    r"(?:[\w.]{1,24}[-_])?(?:api[-_]?)?key|access[-_]?token|auth[-_]?token|id[-_]?token|refresh[-_]?token|auth|"
    r"(?:[\w.]{1,24}[-_])?secret|(?:[\w.]{1,24}[-_])?signature|sig|password|passwd|pwd|"
    r"x-amz-(?:credential|security-token|signature)|x-goog-(?:credential|signature)"
)
"""Query parameters, as a pattern. Not every `*token`: pages are asked for by one."""

WRITTEN: Final = (
    r"api[_-]?key|secret[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|secret|password|passwd|pwd|"
    r"access[_-]?token|auth[_-]?token|refresh[_-]?token|bearer[_-]?token|x-api-key|api-key|authorization"
)
"""Names as they stand before a value in prose, code and header lines, as a pattern."""

FIELD_WORDS: Final = ("key", "secret", "token", "passw", "passphrase", "pwd", "jwt", "auth", "cookie", "credential",
                      "pat", "string")  # fmt: skip
"""In every name of a secret field, folded."""

_PARAMETER: Final = re.compile(PARAMETERS, re.IGNORECASE)
# An idempotency key is no secret, and another for every request; rate limits count tokens; a challenge asks for them.
_HEADER: Final = re.compile(
    r"auth(?!enticate\b)|(?<!idempotency-)key|token(?!s)|secret|cookie|credential|password|signature", re.IGNORECASE
)
_IDENTITY_HEADER: Final = re.compile(r"organization|project|workspace|user-id|account-id", re.IGNORECASE)
_IDENTITY: Final = frozenset({"organizationid", "workspaceid", "organizationuuid", "workspaceuuid", "accountuuid"})
_VARIABLE: Final = re.compile(
    r"(?:.*_)?(?:API_?KEY|ACCESS_KEY|SECRET_KEY|ADMIN_KEY|PRIVATE_KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT)",
    re.IGNORECASE,
)
_PATHS: Final = re.compile(r"(?:[A-Za-z]:\\|\.{0,2}/)(?:[^/\\]+[/\\])*[^/\\]*\.[A-Za-z]{1,5}")


def is_field(name: str) -> bool:
    """Whether a JSON field of this name holds a secret: `api_key`, `clientSecret`, `X-API-Key`; not `max_tokens`."""
    plain = name.translate(_FILLERS).lower() if len(name) <= LONGEST else ""
    return plain in WHOLE or plain.endswith(ENDS)


def is_identity(name: str) -> bool:
    """Whether a JSON field of this name tells who asked."""
    return name.translate(_FILLERS).lower() in _IDENTITY


def is_parameter(name: str) -> bool:
    """Whether a query parameter of this name holds a secret."""
    return _PARAMETER.fullmatch(name) is not None


def is_header(name: str) -> bool:
    """Whether a header of this name holds a secret."""
    return _HEADER.search(name) is not None


def is_identity_header(name: str) -> bool:
    """Whether a header of this name tells who asked."""
    return _IDENTITY_HEADER.search(name) is not None


def credentials_in(environment: Mapping[str, str]) -> list[str]:
    """Return the values of the variables that are named for secrets (`*_API_KEY`, `*_TOKEN`, `*_SECRET`, ...)."""
    return [
        value
        for name, value in environment.items()
        if _VARIABLE.fullmatch(name) and len(value) >= SHORTEST and not _PATHS.fullmatch(value)
    ]


class Environment:
    """The credentials in the variables of this process, read anew when one of them has changed."""

    def __init__(self) -> None:
        self._seen: Any = None
        self._found: tuple[str, ...] = ()

    def credentials(self) -> tuple[str, ...]:
        """Return them as they are now."""
        # The encoded variables, which os.environ would decode one by one: that takes longer than all else of a replay.
        now: Any = getattr(os.environ, "_data", None) or dict(os.environ)
        if now != self._seen:
            self._seen = dict(now)
            self._found = tuple(credentials_in(os.environ))
        return self._found
