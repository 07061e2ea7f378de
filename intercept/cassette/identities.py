"""The identity of rows that were redacted by other rules than those in force: it is taken anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from intercept import canonical
from intercept.canonical import NotCanonical
from intercept.errors import RedactionError
from intercept.identity import identified, of_request, request_hash
from intercept.redaction.positions import compiled
from intercept.spi import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from intercept.cassette.rows import Row
    from intercept.redaction import Redactors
    from intercept.spi import JSON, Adapter


class Identities:
    """Gives the request hashes that rows have under the rules of one session."""

    def __init__(self, redactors: Redactors, adapters: Mapping[str, Adapter]) -> None:
        self.fingerprint = redactors.fingerprint
        self._redactors = redactors
        self._adapters = adapters

    def of(self, row: Row) -> str:
        """Return the hash of a row's request as it would be stored today.

        One that was edited, which is refused when it is served, keeps what it tells, as does one of an adapter that is
        not here.
        """
        found = self._today(row)
        return row.request_hash if found is None else found[1]

    def request(self, row: Row) -> dict[str, JSON] | None:
        """Return a row's request as it would be stored today; None for one that keeps what it tells."""
        found = self._today(row)
        return None if found is None else found[0].request

    def _today(self, row: Row) -> tuple[Call, str] | None:
        adapter = self._adapters.get(row.adapter)
        if adapter is None:
            return None
        try:
            request = canonical.loads(bytes(row.request))
            if not isinstance(request, dict) or request_hash(row.adapter, row.provider, request) != row.request_hash:
                return None
            call = of_request(Call(row.adapter, row.provider, row.operation, "", ""), request)
            return identified(call, self._redactors.of(), compiled(tuple(adapter.untouched(call))))[:2]
        except (NotCanonical, RedactionError, msgspec.DecodeError, ValueError):
            return None
