"""Keeping secrets off the disk.

What a request or an answer holds of secrets becomes a placeholder before anything is hashed or written: known
credentials of this process and its clients, fields that are named for secrets, what has the shape of one, however it is
written, and what the user names. A secret cannot be guessed from a hash, and a rotated one still matches.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from intercept.redaction import names
from intercept.redaction.custom import Custom
from intercept.redaction.finding import Finder
from intercept.redaction.positions import NOWHERE
from intercept.redaction.redactor import Redaction
from intercept.redaction.rules import EMAIL, IDENTITIES, PHONE, RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from intercept.redaction.custom import Wish
    from intercept.spi import Call

__all__ = ["EMAIL", "PHONE", "Redactor", "Redactors"]

_MOST: Final = 64
_BUILT_IN: Final = "\n".join(
    (
        *(f"{rule.label} {rule.flags} {rule.shape}" for rule in (*RULES, *IDENTITIES)),
        names.PARAMETERS,
        *names.ENDS,
        *sorted(names.WHOLE),
    )
)


def named(text: str) -> str:
    """Redact a name that is written down: of a test, or of a cassette that is named by one, with its parameters."""
    return Redaction(Redactors().of().finder).text(text)


class Redactor:
    """What is looked for on behalf of one set of credentials."""

    def __init__(self, literals: Iterable[str] = (), custom: Custom | None = None) -> None:
        self.custom = Custom(()) if custom is None else custom
        self.finder = Finder(literals, self.custom.rules)

    def bare(self, call: Call) -> Call:
        """Return what can be told of a call that has no row: all but its body and what it asks for."""
        return Redaction(self.finder).call(replace(call, body=None), NOWHERE)


class Redactors:
    """The redactors of one session: its user's wishes, and the credentials of the process and of each client."""

    def __init__(self, wishes: Iterable[Wish] = ()) -> None:
        self.custom = Custom(wishes)
        self._environment = names.Environment()
        self._known: dict[tuple[str, ...], Redactor] = {}

    @property
    def fingerprint(self) -> str:
        """Names the rules: a cassette that was redacted by others has its requests redacted again for their hashes."""
        return hashlib.sha256("\n".join((_BUILT_IN, *self.custom.told)).encode("utf-8", "replace")).hexdigest()[:12]

    def of(self, secrets: Sequence[str] = ()) -> Redactor:
        """Return the redactor for a client with these credentials."""
        literals = (*self._environment.credentials(), *secrets)
        known = self._known.get(literals)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()  # a client whose credentials differ from call to call
            known = self._known[literals] = Redactor(literals, self.custom)
        return known
