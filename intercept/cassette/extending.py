"""Adding to a cassette, each row at once, together with whoever else does: the mode `extend`."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from intercept.cassette import files
from intercept.cassette import format as form
from intercept.cassette.claims import SharedNumbers
from intercept.cassette.folders import FolderLayout
from intercept.cassette.layouts import writable
from intercept.cassette.lines import LineLayout
from intercept.cassette.locks import Gate, Hold, Holder
from intercept.cassette.recorder import Claim, Moments, refuse_long, too_late
from intercept.cassette.row_files import RowFiles
from intercept.cassette.tail import Tail
from intercept.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intercept.cassette.arranging import CapsOf
    from intercept.cassette.format import Origin
    from intercept.cassette.index import Key
    from intercept.cassette.layouts import Layout
    from intercept.runs import Run


class Target(Protocol):
    """What rows are added to. Used behind the gate alone."""

    def add(self, claim: Claim, row: Sequence[form.Piece]) -> None:
        """Write one row to the disk."""
        ...

    def settle(self) -> None:
        """See once more that nothing is missing that was written here; raise `OSError` or `CassetteError` if it is."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class Extender:
    """Implements `intercept.cassette.recorder.Recorder` for rows that stay, whatever comes.

    `cassette` holds what was there at the beginning, to be served; None if there was nothing.
    """

    def __init__(self, layout: Layout, *, origin: Origin, run: Run | None, caps: CapsOf) -> None:
        self.path = self.kept_in = layout.path
        self.test = None if run is None else run.part("extend", layout.path)
        self.rows = 0
        self.remarks: list[str] = []
        self._caps = caps
        self._closed = False
        self._moments = Moments()
        self._gate = Gate(layout.path)
        with self._gate.passed():
            self._hold = Hold(self._gate, Holder(os.getpid(), "extend", None if run is None else run.id, self.test))
            try:
                self.cassette = writable(layout)
                taken = {} if self.cassette is None else self.cassette.taken()
                claims = self._gate.folder / f"{self._gate.name}.claims"
                self._numbers = SharedNumbers(layout.path, taken, claims, anew=self._hold.alone)
            except BaseException:
                self._hold.end()
                raise
        self._target = self._target_of(layout, origin)

    def _target_of(self, layout: Layout, origin: Origin) -> Target:
        if isinstance(layout, FolderLayout):
            return RowFiles(layout, origin)
        assert isinstance(layout, LineLayout)
        return Tail(layout, origin, self._numbers, self.remarks)

    def claim(self, key: Key) -> Claim:
        """See `Recorder.claim`."""
        with self._gate.passed():
            self._hold.check()
            return Claim(key, self._numbers.claim(key), self._moments.next())

    def write(self, claim: Claim, exchange: form.Exchange) -> None:
        """See `Recorder.write`."""
        call = exchange.call
        caps = self._caps((call.adapter, call.provider, call.model))
        row = form.row(replace(exchange, occurrence=claim.occurrence, caps=caps))
        refuse_long(self.path, row)
        with self._gate.passed():
            self._hold.check()
            if self._closed:
                raise too_late(self.path)
            self._target.add(claim, row)
        self.rows += 1

    def commit(self, caps: CapsOf) -> None:  # noqa: ARG002  each row was given its own when it was written
        """See `Recorder.commit`: every row is in its place already, where nobody has moved it since."""
        try:
            with self._gate.passed():
                if not self._hold.inherited:
                    self._target.settle()
        except OSError as error:
            raise CassetteError(
                str(self.path), f"what was recorded is there no more: {files.reason_of(error)}"
            ) from error

    def close(self, *, drop: bool = False) -> None:  # noqa: ARG002  there is nothing that could be dropped
        """See `Recorder.close`."""
        self._closed = True
        try:
            with self._gate.passed():
                if not self._hold.inherited:
                    # `commit` has told of a failure, or what ended the session hides it.
                    with contextlib.suppress(OSError, CassetteError):
                        self._target.settle()
                self._target.close()
                if self._hold.last:
                    self._numbers.end()
        finally:
            self._hold.leave()
