"""The border between core and adapters: the values that cross it, and what each side asks of the other.

An adapter teaches `intercept` one SDK. It imports this module and, inside functions, its SDK; nothing else. It is found
through the entry-point group `intercept.adapters`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias, runtime_checkable

from intercept import current
from intercept.errors import ConfigError, InterceptError, Miss

__all__ = [
    "JSON",
    "REDACTED",
    "STAND_IN",
    "Adapter",
    "Call",
    "Caps",
    "ConfigError",
    "Contradiction",
    "End",
    "Halt",
    "Hop",
    "InterceptError",
    "Miss",
    "PatchPoint",
    "Piece",
    "Prices",
    "Recording",
    "Reply",
    "Session",
    "Usage",
    "current_session",
]

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

End: TypeAlias = Literal["complete", "closed", "truncated"]
"""How a reply ended: with the protocol's terminal, left early by the caller, or cut by the provider."""


REDACTED: Final = "[REDACTED]"
"""What stands in the place of a secret, with its kind and number: `[REDACTED:openai-key:1]`."""

STAND_IN: Final = "no-key-needed-in-replay"
"""The key of clients that were made without one where none is needed: no secret, and never sent."""


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """One attempt asked of a provider, as it goes over the wire.

    `path` is the one the SDK names, before a cloud client rewrites it and without host or base URL. `query` and
    `headers` are pairs; of the headers only those that change what is asked. `body` is what the wire carries: parsed
    JSON, or a description of an upload by content digests.
    """

    adapter: str
    provider: str  # "openai", "azure-openai", "anthropic-bedrock", ...
    operation: str  # for people: "GET /files/{id}"
    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: JSON = None
    model: str | None = None
    streaming: bool = False

    def __repr__(self) -> str:
        """Say which call it is, without a word of its content."""
        return f"<{self.adapter} {self.operation}>"

    @property
    def request(self) -> dict[str, JSON]:
        """The request as a cassette stores it; together with adapter and provider it is the call's identity."""
        request: dict[str, JSON] = {"method": self.method, "path": self.path}
        if self.query:
            request["query"] = [list(pair) for pair in self.query]
        if self.headers:
            request["headers"] = [list(pair) for pair in self.headers]
        if self.body is not None:
            request["body"] = self.body
        return request


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect on the way to a reply: its status, and its headers as pairs, `location` among them."""

    status: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: status, headers as pairs, and the body as the chunks in which it is to be given again.

    `failure` is the HTTP library's exception that ended the body, if one did: its name, a colon and what it said. One
    that came before any answer stands with the status None. `hops` are the redirects that were followed, in order.
    """

    status: int | None
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    chunks: Iterable[bytes] = field(repr=False)
    end: End = "complete"
    failure: str | None = field(default=None, repr=False)
    hops: tuple[Hop, ...] = ()


class Contradiction(ValueError):
    """Token counts that cannot be true, or not together."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `input` is the full prompt, whatever the provider's own field leaves out."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    def check(self) -> None:
        """Raise `Contradiction` for a negative count, and for a cache that was used for more than there was to read.

        More reasoning than output is let pass: gateways count the two by different means (a real one told 11 of 10).
        """
        if min(self.input, self.cache_read, self.cache_write, self.output, self.reasoning) < 0:
            for name in ("input", "cache_read", "cache_write", "output", "reasoning"):
                if getattr(self, name) < 0:
                    raise Contradiction(f"{name} is {getattr(self, name)}")
        if self.cache_read + self.cache_write > self.input:
            raise Contradiction(
                f"{self.cache_read} tokens read from a cache and {self.cache_write} written, of {self.input}"
            )

    def __add__(self, other: Usage) -> Usage:
        """Sum both, field by field."""
        return Usage(
            input=self.input + other.input,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens; None where unknown."""

    input: float | None = None
    cache_read: float | None = None
    cache_write: float | None = None
    output: float | None = None


@dataclass(frozen=True, slots=True)
class Caps:
    """What a model could do when it was asked; None where nobody knows, never a guess. Windows count tokens.

    `source` names where this was read, in the order of precedence.
    """

    context_window: int | None = None
    max_output: int | None = None
    input_modalities: tuple[str, ...] | None = None  # "text", "image", "pdf", "audio", "video"
    output_modalities: tuple[str, ...] | None = None
    tools: bool | None = None
    parallel_tools: bool | None = None
    structured_output: bool | None = None
    reasoning: bool | None = None
    caching: bool | None = None
    temperature: bool | None = None
    prices: Prices | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that comes piece by piece: a secret may begin in one and end in another.

    `channel` is the same for all pieces of one text, `path` leads to this one from the top of its event or body, and
    `beside` are values to set next to it where it is rewritten, as they would still tell what it was.
    """

    channel: tuple[Hashable, ...]
    path: tuple[str | int, ...]
    beside: Mapping[str, JSON] = field(default_factory=dict[str, "JSON"])


class Recording(Protocol):
    """A call on its way to the provider; ended once, later endings are ignored."""

    def learn(self, secrets: Sequence[str]) -> None:
        """Hide these credentials too: they came to light only when the request was sent, by an authentication flow."""
        ...

    def finish(self, reply: Reply) -> None:
        """Write the row: the reply with its whole body, undivided or in any chunks, which are read once.

        A reply without a status is a failure before any answer, and a row only where the session keeps failures. Raises
        `InterceptError` for a row that cannot be written, where the session is strict.
        """
        ...

    def drop(self) -> None:
        """Write nothing: the caller left before the provider answered."""
        ...

    def refuse(self, reason: str) -> None:
        """Write nothing, as the answer cannot be stored; the session fails at its end, and says why.

        Raises `InterceptError` where the session is strict.
        """
        ...


class Session(Protocol):
    """What an adapter may ask of the session that is in force."""

    @property
    def offline(self) -> bool:
        """Whether every call is answered here, so that no credentials are needed and no wait is due."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the session is over."""
        ...

    @property
    def allowed_encodings(self) -> frozenset[str]:
        """The content encodings, in lower case, whose bodies may be stored though nobody here can decode them."""
        ...

    def decide(self, call: Call, secrets: Sequence[str]) -> Reply | Recording:
        """Answer the call, or number it and let it go live; raise `Halt` for a miss.

        `secrets` are the literal credentials of the calling client: they reach neither disk nor message.
        """
        ...

    def digest(self, content: bytes, secrets: Sequence[str]) -> dict[str, JSON]:
        """Describe what is not stored itself, such as an uploaded file: `sha256` and `bytes`, after redaction.

        So the digest of a file with a key in it does not change with the key, which nobody can guess from it.
        """
        ...

    def uncovered(self, adapter: str, way: str) -> None:
        """Tell of a way to the provider that no adapter covers yet: `a websocket`.

        Raises `NotCovered` where every call is answered here; while recording it passes, with one warning at the end.
        """
        ...

    def waited(self, seconds: float) -> None:
        """Note a wait that the SDK asked for and did not have to sit out."""
        ...

    def track(self, settle: Callable[[], None]) -> Callable[[], None]:
        """Have `settle` called at the session's end, unless the returned function is called before."""
        ...


class Halt(BaseException):
    """Carries an error out through an SDK's `except Exception`, so that it is neither wrapped nor tried again."""

    def __init__(self, error: InterceptError) -> None:
        super().__init__(str(error))
        self.error = error


Wrapper: TypeAlias = Callable[[Callable[..., Any], Any, tuple[Any, ...], dict[str, Any]], Any]
"""`wrapper(wrapped, instance, args, kwargs)`, as wrapt calls it: `wrapped` is bound to `instance`."""


@dataclass(frozen=True)
class PatchPoint:
    """A place to wrap while a session is active: `SyncAPIClient.request` in `openai._base_client`.

    Without a required place the SDK's calls are refused; an optional one may be missing in some versions. An
    `inherited` one is of a class whose base cannot be changed: it is put on the class itself, and taken off it again.
    """

    module: str
    target: str
    wrapper: Wrapper
    required: bool = True
    inherited: bool = False


@runtime_checkable
class Adapter(Protocol):
    """One SDK: where to patch it, and how to read what it sends and receives."""

    @property
    def name(self) -> str:
        """Its name in cassettes: `openai`."""
        ...

    @property
    def sdk(self) -> str:
        """The import name of its SDK."""
        ...

    @property
    def distribution(self) -> str:
        """The name its SDK is installed by."""
        ...

    @property
    def patch_points(self) -> Sequence[PatchPoint]:
        """Every place to wrap; points shared with other adapters are equal, and wrapped once."""
        ...

    @property
    def usage_semantics(self) -> str:
        """The reading of the provider's token counts that `usage` applies."""
        ...

    def is_terminal(self, call: Call, event: str | None, data: str) -> bool:
        """Whether this server-sent event ends the stream by the provider's protocol."""
        ...

    def usage(self, call: Call, bodies: Iterable[Mapping[str, JSON]]) -> Usage | None:
        """Read the usage out of a reply's JSON bodies (one, or one an event), or None where it tells none.

        A reply that shows an answer again, whose usage another reply told, has none: sums would count it twice. Raises
        `Contradiction` for counts that cannot be true.
        """
        ...

    def capabilities(self, call: Call, body: Mapping[str, JSON]) -> Mapping[str, Caps]:
        """Read what a reply's JSON body, or an event's, tells of models, by their names; mostly nothing."""
        ...

    def catalogues(self, provider: str) -> Sequence[str]:
        """Name the provider as public lists of models and prices may: `amazon-bedrock`, `aws`."""
        ...

    def untouched(self, call: Call) -> Sequence[str]:
        """Name the places, in requests, answers and events, of what must stay as it is to the byte.

        What only the provider can read (`messages[*].content[*].signature`), ids, and base64 media: nothing there is
        looked for but credentials that are known.
        """
        ...

    def pieces(self, body: Mapping[str, JSON]) -> Iterable[Piece]:
        """Name the parts of longer texts that an event, or a body, holds: its deltas."""
        ...

    def restore(self) -> None:
        """Undo what clients made during a session left in the SDK's module state; called when the last one ends."""
        ...


def current_session() -> Session | None:
    """Return the session in force for the calling code; None outside of sessions and under `off`.

    Raises `ConfigError` where no answer is safe: the work began under a session that is over, or before two sessions
    that have nothing to do with each other.
    """
    session: Session | None = current.find()
    return session
