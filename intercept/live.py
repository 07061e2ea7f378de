"""A call on its way to the provider: when its exchange ends, it becomes a row."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from intercept import events
from intercept.answers import Answer
from intercept.cassette import format as form
from intercept.errors import CassetteError, InterceptError, RedactionError
from intercept.spi import Contradiction, Hop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from intercept.capabilities import Capabilities
    from intercept.cassette.recorder import Claim, Recorder
    from intercept.notes import Notes, Played
    from intercept.redaction.custom import Custom
    from intercept.redaction.positions import Node
    from intercept.redaction.redactor import Redaction
    from intercept.spi import JSON, Adapter, Call, End, Reply, Usage


def not_kept(call: Call, path: Path, error: Exception) -> CassetteError:
    """Make the error for a row that could not be written: which call's, where, and why."""
    reason = error.reason if isinstance(error, CassetteError) else str(getattr(error, "strerror", None) or error)
    return CassetteError(str(path), f"the row of {call.adapter} {call.operation} could not be written: {reason}")


class Unrecorded:
    """Implements `intercept.spi.Recording` for a call that goes live without a row."""

    def learn(self, secrets: Sequence[str]) -> None:
        """See `intercept.spi.Recording`."""

    def drop(self) -> None:
        """See `intercept.spi.Recording`."""

    def refuse(self, reason: str) -> None:
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
        redaction: Redaction,
        custom: Custom,
        untouched: Node,
        capabilities: Capabilities,
        kept_headers: frozenset[str],
        keep_failures: bool,
        strict: bool,
        claim: Claim,
    ) -> None:
        self._played = played
        self._recorder = recorder
        self._notes = notes
        self._adapter = adapter
        self._redaction = redaction
        self._custom = custom
        self._untouched = untouched
        self._capabilities = capabilities
        self._kept_headers = kept_headers
        self._keep_failures = keep_failures
        self._strict = strict
        self._claim = claim
        self._done = False

    def learn(self, secrets: Sequence[str]) -> None:
        """See `intercept.spi.Recording`."""
        self._redaction.finder = self._redaction.finder.with_more(secrets)

    def drop(self) -> None:
        """See `intercept.spi.Recording`."""
        self._done = True

    def refuse(self, reason: str) -> None:
        """See `intercept.spi.Recording`."""
        if self._ends():
            self._fail(CassetteError(str(self._recorder.kept_in), reason))

    def finish(self, reply: Reply) -> None:
        """See `intercept.spi.Recording`; a failure is remembered, the application keeps its answer."""
        if not self._ends():
            return
        if reply.status is None and not self._keep_failures:
            return
        try:
            exchange = self._exchange(reply)
            with self._notes.lock:
                self._recorder.write(self._claim, exchange)
        except Exception as error:  # noqa: BLE001  whatever it is, the answer was paid for and must arrive
            self._fail(error)

    def _ends(self) -> bool:
        """Whether this is the first of several endings."""
        with self._notes.lock:
            first, self._done = not self._done, True
        return first

    def _fail(self, error: Exception) -> None:
        failure = self._failure(error)
        self._notes.failures.append(failure)
        if self._strict:
            raise failure from None

    def _failure(self, error: Exception) -> InterceptError:
        if isinstance(error, RedactionError):
            call = self._played.call
            return error.given(f"{call.adapter} {call.operation}")
        return not_kept(self._played.call, self._recorder.kept_in, error)

    def _exchange(self, reply: Reply) -> form.Exchange:
        played = self._played
        content_type = next((value for name, value in reply.headers if name.lower() == "content-type"), "")
        answer = Answer(self._redaction, self._custom, self._untouched, self._adapter.pieces)
        body = _Body(reply, content_type, answer)
        usage = self._counted(self._heard(body.read()))
        played.status, played.end, played.usage = reply.status, self._judged(reply, body), usage
        if reply.status is not None and played.end == "truncated":
            self._notes.truncated.append(played.call.operation)
        return form.Exchange(
            call=played.call,
            request_hash=played.request_hash,
            occurrence=self._claim.occurrence,
            status=reply.status,
            headers=self._kept(reply.headers),
            events=answer.end(),
            end=played.end,
            failure=None if reply.failure is None else self._redaction.text(reply.failure),
            hops=tuple(Hop(hop.status, self._kept(hop.headers)) for hop in reply.hops),
            usage=usage,
            usage_semantics=None if usage is None else self._adapter.usage_semantics,
            test=self._recorder.test,
        )

    def _heard(self, bodies: Iterable[dict[str, JSON]]) -> Iterator[dict[str, JSON]]:
        """Take in what passing bodies tell of models."""
        call = self._played.call
        for body in bodies:
            for model, caps in self._adapter.capabilities(call, body).items():
                self._capabilities.tell(call.adapter, model, caps)
            yield body

    def _counted(self, bodies: Iterator[dict[str, JSON]]) -> Usage | None:
        """Have the adapter read the usage out of bodies as they pass; counts that cannot be true are none."""
        try:
            usage = self._adapter.usage(self._played.call, bodies)
            if usage is not None:
                usage.check()
        except Contradiction as error:
            operation = self._played.call.operation
            self._notes.remarks.append(f"the usage that {operation} told is left out, for it cannot be true: {error}")
            usage = None
        for _ in bodies:
            pass  # what the adapter did not care to read has to pass as well
        return usage

    def _kept(self, headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((name, self._header(name, value)) for name, value in headers if name.lower() in self._kept_headers)

    def _header(self, name: str, value: str) -> str:
        if self._custom:
            value = str(self._custom.applied(value, "header", self._redaction))
        return self._redaction.header(name, value)

    def _judged(self, reply: Reply, body: _Body) -> End:
        """By the protocol: a stream is complete with its terminal, however its reader left it, and not without."""
        if reply.status is None or not events.is_stream(body.content_type):
            return reply.end
        # Something may follow a terminal, such as `[DONE]` after an error.
        if any(self._adapter.is_terminal(self._played.call, *events.named(block)) for block in body.last):
            return "complete"
        return "truncated" if reply.end == "complete" else reply.end


class _Body:
    """One pass over a reply's body: cut into events, handed on, and its JSON objects shown as they pass.

    The chunks are given up on the way, so that a long stream is never held twice.
    """

    def __init__(self, reply: Reply, content_type: str, answer: Answer) -> None:
        self.content_type = content_type
        self.last: deque[bytes] = deque(maxlen=3)
        self._reply = reply
        self._answer = answer

    def read(self) -> Iterator[dict[str, JSON]]:
        for event in events.store(self.content_type, self._blocks()):
            self._answer.add(event.stored, event.carried)
            if event.carried is not None:
                yield event.carried

    def _blocks(self) -> Iterator[bytes]:
        left = self._reply.end == "closed" and events.is_stream(self.content_type)
        for block in events.split(self.content_type, self._reply.chunks):
            if left and not events.is_whole(block):
                return  # the last one: the caller left in the middle of it
            if self._tells(block):
                self.last.append(block)
            yield block

    def _tells(self, block: bytes) -> bool:
        """Whether a block may be a terminal: no comment or blank line, and no event that was cut off."""
        return (b"data" in block or b"event" in block) and (self._reply.end == "complete" or events.is_whole(block))
