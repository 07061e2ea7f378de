"""The end of a session: what becomes of its recording, and what is said of all that went on."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from intercept import words
from intercept.errors import CassetteError, InterceptWarning, NotVerified, warn

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.cassette.arranging import CapsOf
    from intercept.cassette.recorder import Recorder
    from intercept.notes import Notes, Played
    from intercept.settings import Settings

_TOO_MANY: Final = 429


@dataclass(frozen=True)
class Ending:
    """Ends a session that is called `name`, for a body that was ended by `error`, or by itself. It is never masked.

    `shared` says that other processes, of which nothing is known here, were in the session too.
    """

    name: str
    path: Path | None
    notes: Notes
    settings: Settings
    recorder: Recorder | None
    error: BaseException | None
    shared: bool

    @property
    def clean(self) -> bool:
        """Whether the body ended as a body may."""
        error = self.error
        return (
            error is None
            or isinstance(error, GeneratorExit)
            or (isinstance(error, SystemExit) and error.code in (None, 0))
        )

    def keep(self, caps: CapsOf) -> None:
        """Put the recording in its place, or leave it where it is; raise `CassetteError` if that cannot be written."""
        recorder = self.recorder
        if recorder is None:
            return
        if self.clean and self.settings.expect_rate_limited and not self._rate_limited(recorder):
            recorder.close(drop=True)
            return
        if not (self.clean or self.settings.keep_on_error) or self.notes.failures:
            if not self.clean and self._left:
                self._add(self._left)
            return
        try:
            recorder.commit(caps)
        except CassetteError as failure:
            if self.clean:
                raise
            self._add(str(failure))

    def close(self) -> None:
        """Let go of the recording, whatever interrupts the end: the next session may record this cassette."""
        if self.recorder is None:
            return
        try:
            self.recorder.close()
        except (CassetteError, OSError) as failure:
            self.notes.failures.append(failure)

    def _rate_limited(self, recorder: Recorder) -> bool:
        others = [played for played in self.notes.calls if played.live and played.status not in (None, _TOO_MANY)]
        if others:
            first = others[0]
            self.notes.failures.append(
                words.not_rate_limited(recorder.path, first.call, first.status, len(others)),
            )
        return not others

    @property
    def _left(self) -> str:
        """Say where rows are that did not take their place in the cassette; empty if there are none."""
        recorder = self.recorder
        if (
            recorder is None
            or recorder.kept_in == recorder.path
            or not (recorder.rows and os.path.lexists(recorder.kept_in))
        ):
            return ""
        state = "is as it was" if os.path.lexists(recorder.path) else "was not written"
        return words.left_over(f"{recorder.path} {state}", recorder.kept_in)

    def tell(self, left_open: list[Played]) -> None:
        """Warn and raise at a clean end, add notes to any other error. `left_open` are streams that the end has cut."""
        if not self.clean:
            self._note()
            return
        try:
            for text in self._remarks([played for played in left_open if played.end == "closed"]):
                warn(text)
        finally:  # a warning that is turned into an error must not hide it
            self._refuse()

    def _refuse(self) -> None:
        """Raise if the application went on after a miss, or a row could not be written."""
        notes = self.notes
        misses = tuple(notes.misses) if self.settings.verify else ()
        if misses or notes.failures:
            text = words.not_verified(self.name, misses, notes.failures, self._left if notes.failures else "")
            raise NotVerified(text, misses=misses, failures=tuple(notes.failures))

    def _note(self) -> None:
        """Tell of what was swallowed beside the error that ended the body."""
        misses = [miss for miss in self.notes.misses if miss is not self.error]
        failures = [failure for failure in self.notes.failures if failure is not self.error]
        if misses or failures:
            self._add(words.not_verified(self.name, misses, failures))

    def _remarks(self, left_open: list[Played]) -> list[str]:
        notes, recorder = self.notes, self.recorder
        remarks = [] if recorder is None else [*recorder.remarks]
        remarks += [
            f"{self.path}: the stream of {operation} ended without its terminal" for operation in notes.truncated
        ]
        remarks += [f"{self.path}: {remark}" for remark in dict.fromkeys(notes.remarks)]
        silent = not (notes.calls or notes.failures or notes.remarks or self.shared)
        if recorder is not None and silent and not recorder.rows:
            remarks.append(f"{self.path} was to be recorded, but no SDK call was seen; the file is as it was")
        remarks += [
            f"{self.path}: the stream of {played.call.operation} was still open when the session ended, and is kept as "
            "far as it was read"
            for played in left_open
        ]
        return remarks

    def _add(self, text: str) -> None:
        """Attach a note to the error; before Python 3.11 there are none, and a warning has to do."""
        if sys.version_info >= (3, 11):
            assert self.error is not None
            self.error.add_note(text)
        else:
            with contextlib.suppress(InterceptWarning):  # turned into an error, it would mask this one
                warn(text)
