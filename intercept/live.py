"""A call on its way to the provider: when its exchange ends, it becomes a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept import events
from intercept.cassette import format as form

if TYPE_CHECKING:
    from intercept.cassette.recorder import Recorder
    from intercept.notes import Notes, Played
    from intercept.redaction import Redactor
    from intercept.spi import Adapter, End, Reply


class Unrecorded:
    """Implements `intercept.spi.Recording` for a call that goes live without a row."""

    def drop(self) -> None:
        """See `intercept.spi.Recording`."""

    def finish(self, reply: Reply) -> None:
        """See `intercept.spi.Recording`."""


class Live:
    """Implements `intercept.spi.Recording`. The number was claimed when the call was sent; a gap is no fault."""

    def __init__(  # noqa: PLR0913  made in one place, by the session
        self,
        played: Played,
        recorder: Recorder,
        notes: Notes,
        *,
        adapter: Adapter,
        redactor: Redactor,
        kept_headers: frozenset[str],
        occurrence: int,
    ) -> None:
        self._played = played
        self._recorder = recorder
        self._notes = notes
        self._adapter = adapter
        self._redactor = redactor
        self._kept_headers = kept_headers
        self._occurrence = occurrence
        self._sequence = len(notes.calls)
        self._done = False

    def drop(self) -> None:
        """See `intercept.spi.Recording`."""
        self._done = True

    def finish(self, reply: Reply) -> None:
        """See `intercept.spi.Recording`; a failure is remembered, the application keeps its answer."""
        with self._notes.lock:
            if self._done:
                return
            self._done = True
        try:
            row = form.row(self._exchange(reply))
            with self._notes.lock:
                self._recorder.write(self._sequence, row)
        except Exception as error:  # noqa: BLE001  whatever it is, the answer was paid for and must arrive
            self._notes.failures.append(error)

    def _exchange(self, reply: Reply) -> form.Exchange:
        played, redactor = self._played, self._redactor
        adapter, kept = self._adapter, self._kept_headers
        content_type = next((value for name, value in reply.headers if name.lower() == "content-type"), "")
        blocks = events.split(content_type, b"".join(reply.chunks))
        played.status, played.end = reply.status, self._judged(reply, content_type, blocks)
        if played.end == "closed" and events.is_stream(content_type) and blocks and not events.is_whole(blocks[-1]):
            del blocks[-1]
        if played.end == "truncated":
            self._notes.truncated.append(played.call.operation)
        stored = events.store(content_type, blocks, redactor)
        played.usage = adapter.usage(played.call, events.objects(content_type, blocks))
        return form.Exchange(
            call=played.call,
            request_hash=played.request_hash,
            occurrence=self._occurrence,
            status=reply.status,
            headers=tuple((name, redactor.text(value)) for name, value in reply.headers if name.lower() in kept),
            events=stored,
            end=played.end,
            failure=reply.failure,
            usage=played.usage,
            usage_semantics=None if played.usage is None else adapter.usage_semantics,
            test=self._recorder.test,
        )

    def _judged(self, reply: Reply, content_type: str, blocks: list[bytes]) -> End:
        """By the protocol: a stream is complete with its terminal, however its reader left it, and not without."""
        if not events.is_stream(content_type):
            return reply.end
        # Something may follow a terminal: a comment, or `[DONE]` after an error.
        if any(self._adapter.is_terminal(self._played.call, *events.named(block)) for block in blocks[-3:]):
            return "complete"
        return "truncated" if reply.end == "complete" else reply.end
