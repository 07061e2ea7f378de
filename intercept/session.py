"""A session: a mode, where replies come from and go to, and the only place that decides what happens to a call."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from intercept import words
from intercept.canonical import NotCanonical
from intercept.ending import Ending
from intercept.errors import InterceptError, Miss, NotVerified, RedactionError
from intercept.identity import digest, identified
from intercept.live import Live, Unrecorded, not_kept
from intercept.notes import Notes, Played
from intercept.redaction.positions import compiled
from intercept.spi import Halt, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from intercept.capabilities import Capabilities
    from intercept.cassette.recorder import Recorder
    from intercept.cassette.replayer import Replayer
    from intercept.modes import Mode
    from intercept.redaction import Redactors
    from intercept.redaction.positions import Node
    from intercept.redaction.redactor import Redaction
    from intercept.settings import Settings
    from intercept.spi import JSON, Adapter, Call, Caps, Recording, Reply

KEPT_HEADERS: Final = frozenset(
    {
        "content-type",
        "x-request-id",
        "request-id",
        "retry-after",
        "retry-after-ms",
        "x-should-retry",
        "location",
        "content-encoding",
    }
)
"""Response headers that are stored; any other may tell who asked.

Adapters give `location` for redirects alone, and `content-encoding` where a body is stored as it came.
"""


class Session:
    """What was asked while it was active, what was answered, and from where.

    `mode` and `mode_source` tell the mode and who chose it, `path` is the cassette, and `waits` lists the seconds that
    the SDK wanted to wait and did not have to. `shared` tells whether another process has it too, since a fork.
    """

    def __init__(  # noqa: PLR0913  put together by the front doors alone
        self,
        mode: Mode,
        path: Path | None,
        *,
        mode_source: str,
        adapters: Mapping[str, Adapter],
        capabilities: Capabilities,
        settings: Settings,
        redactors: Redactors,
        replayer: Replayer | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.mode = mode
        self.mode_source = mode_source
        self.path = path
        self.waits: list[float] = []
        self.outer: Any = None
        self.block: Any = None
        self.ended = False
        self.shared = False
        self._notes = Notes()
        self._adapters = adapters
        self._settings = settings
        self._kept_headers = KEPT_HEADERS | {name.lower() for name in settings.keep_headers}
        self._replayer = replayer
        self._recorder = recorder
        self._capabilities = capabilities
        self._open: dict[object, Callable[[], None]] = {}
        self._redactors = redactors

    @property
    def calls(self) -> list[Played]:
        """Every call, in the order of sending."""
        return self._notes.calls

    @property
    def misses(self) -> list[Miss]:
        """The misses that were raised, swallowed or not."""
        return self._notes.misses

    @property
    def lock(self) -> threading.RLock:
        """Guards the whole state of the session."""
        return self._notes.lock

    @property
    def name(self) -> str:
        """What messages call this session."""
        return f"the {self.mode} session of {self.path}" if self.path else f"the {self.mode} session"

    @property
    def intercepting(self) -> bool:
        """Whether calls are looked at: not under `off`."""
        return self.mode != "off"

    @property
    def offline(self) -> bool:
        """Whether every call is answered from the cassette."""
        return self.mode == "replay"

    @property
    def allowed_encodings(self) -> frozenset[str]:
        """See `intercept.spi.Session`."""
        return frozenset(name.lower() for name in self._settings.allow_encoding)

    def decide(self, call: Call, secrets: Sequence[str]) -> Reply | Recording:
        """See `intercept.spi.Session`."""
        redactor = self._redactors.of(secrets)
        untouched = compiled(tuple(self._adapters[call.adapter].untouched(call)))
        try:
            try:
                call, request_hash, redaction = identified(call, redactor, untouched)
            except NotCanonical as error:
                return self._without_row(words.not_canonical(redactor.bare(call), str(self.path), error))
            except RedactionError as error:
                return self._without_row(error.given(f"{call.adapter} {redactor.bare(call).operation}"))
            with self._notes.lock:
                return self._decide(call, request_hash, redaction, untouched)
        except InterceptError as error:
            self._remember(error)
            raise Halt(error) from None

    def _without_row(self, error: InterceptError) -> Recording:
        """Let a request that no cassette can hold go live while recording, and fail at the end; else it is an error."""
        if self._recorder is None or self._settings.strict:
            raise error
        self._notes.failures.append(error)
        return Unrecorded()

    def _decide(self, call: Call, request_hash: str, redaction: Redaction, untouched: Node) -> Reply | Recording:
        key = (call.adapter, request_hash)
        served = None if self._replayer is None else self._replayer.take(call, key)
        if served is not None:
            reply, usage = served
            reply = replace(reply, chunks=self._noted(reply.chunks))
            self.calls.append(Played(call, request_hash, live=False, status=reply.status, end=reply.end, usage=usage))
            return reply
        if self._recorder is None:
            assert self._replayer is not None
            raise words.no_reply(call, request_hash, self._replayer, self.mode_source, redaction.text)
        return self._live(self._recorder, Played(call, request_hash, live=True), redaction, untouched)

    def _live(self, recorder: Recorder, played: Played, redaction: Redaction, untouched: Node) -> Recording:
        """Let a call go to the provider, numbered before it does; it goes also where its row can be written nowhere."""
        try:
            claim = recorder.claim((played.call.adapter, played.request_hash))
        except OSError as error:
            failure = not_kept(played.call, recorder.kept_in, error)
            if self._settings.strict:
                raise failure from None
            self._notes.failures.append(failure)
            self.calls.append(played)
            return Unrecorded()
        if self.mode == "extend":
            self._capabilities.prepare()
        self.calls.append(played)
        return Live(
            played,
            recorder,
            self._notes,
            adapter=self._adapters[played.call.adapter],
            redaction=redaction,
            custom=self._redactors.custom,
            untouched=untouched,
            capabilities=self._capabilities,
            kept_headers=self._kept_headers,
            keep_failures=self._settings.failures,
            strict=self._settings.strict,
            claim=claim,
        )

    def _noted(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Remember what is raised while a body is read, like all else."""
        try:
            yield from chunks
        except InterceptError as error:
            self._remember(error)
            raise

    def _remember(self, error: InterceptError) -> None:
        """Keep an error of ours, should the application swallow it."""
        if isinstance(error, Miss):
            self.misses.append(error)
        else:
            self._notes.failures.append(error)

    @property
    def usage(self) -> Usage:
        """The tokens of all calls that told theirs."""
        return sum((played.usage for played in self.calls if played.usage is not None), Usage())

    @property
    def remaining(self) -> tuple[str, ...]:
        """Where the rows are that nobody has asked for yet, `path:line`; of a shared cassette those of the own test.

        A reply whose stream was left half read was asked for. Empty where nothing is replayed.
        """
        if self._replayer is None:
            return ()
        with self.lock:
            return tuple(map(self._replayer.cassette.where, self._replayer.remaining()))

    def assert_all_played(self) -> None:
        """Raise `NotVerified` if there are rows that nobody has asked for."""
        remaining = self.remaining
        if remaining:
            raise NotVerified(words.not_played(self.name, remaining))

    def caps(self, model: str) -> Caps | None:
        """Return what a model can do: as it was when this cassette was recorded, or as it is known while recording.

        None for a model that no call asked, and for one nobody knows.
        """
        recorded = None if self._replayer is None else self._replayer.cassette.caps(model)
        if recorded is not None or self.offline:
            return recorded
        asked = next((played.call for played in self.calls if played.call.model == model), None)
        return None if asked is None else self._capabilities.of((asked.adapter, asked.provider, model))

    def __repr__(self) -> str:
        """Say what it is and how much was played, without a word of the content."""
        return f"<{self.name}: {len(self.calls)} calls, {len(self.misses)} misses>"

    def digest(self, content: bytes, secrets: Sequence[str]) -> dict[str, JSON]:
        """See `intercept.spi.Session`."""
        return digest(content, self._redactors.of(secrets))

    def uncovered(self, adapter: str, way: str) -> None:
        """See `intercept.spi.Session`."""
        if not self.offline:
            self._notes.remarks.append(f"{adapter} opened {way}, which is not covered: it went live, and has no row")
            return
        miss = words.not_covered(adapter, way, str(self.path), self.mode_source)
        self._remember(miss)
        raise miss

    def blocked(self, place: str) -> None:
        """Note a connection that was refused, as the network is blocked."""
        self._notes.remarks.append(f"a connection to {place} was refused, as the network is blocked while it replays")

    def waited(self, seconds: float) -> None:
        """See `intercept.spi.Session`."""
        self.waits.append(seconds)

    def track(self, settle: Callable[[], None]) -> Callable[[], None]:
        """See `intercept.spi.Session`."""
        token = object()
        self._open[token] = settle
        return lambda: self._open.pop(token, None) and None

    def finish(self, error: BaseException | None) -> None:
        """Settle what is open, then keep or leave the recording; raise for a clean body what it cannot know of.

        `error` is what ended the body, None for its normal end. It is never masked.
        """
        ending = Ending(self.name, self.path, self._notes, self._settings, self._recorder, error, self.shared)
        pending = [played for played in self.calls if played.live and played.end is None]
        try:
            for settle in list(self._open.values()):
                settle()
            ending.keep(self._capabilities.of)
        finally:
            ending.close()
            if self._replayer is not None:
                self._replayer.cassette.close()
        ending.tell(pending)
