"""The front door: `use_cassette`, as context manager, sync or async, and as decorator."""

from __future__ import annotations

import os
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from intercept import current
from intercept.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from intercept.errors import CassetteError
    from intercept.redaction.custom import Wish
    from intercept.session import Session
    from intercept.spi import Caps

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")


@overload
def use_cassette(cassette: Decorated, /) -> Decorated: ...


@overload
def use_cassette(
    cassette: str | os.PathLike[str] | None = None,
    /,
    *,
    mode: str | None = None,
    adapters: Iterable[str] | None = None,
    caps: Mapping[str, Caps | Mapping[str, Any]] = ...,
    failures: bool = False,
    keep_headers: Iterable[str] = (),
    allow_encoding: Iterable[str] = (),
    keep_on_error: bool = False,
    verify: bool = True,
    strict: bool = False,
    expect_rate_limited: bool = False,
    world_writable: bool = False,
    redact: Iterable[Wish] | Wish = (),
    block_network: bool | None = None,
    allow_hosts: Iterable[str] = (),
) -> CassetteDoor: ...


def use_cassette(cassette: Any = None, /, **settings: Any) -> Any:  # noqa: D417  the overload spells them out
    """Record to, or replay from, a cassette: in a `with` or `async with` block, or around a decorated function.

    Args:
        cassette: its file, or with a slash at its end a folder with a file for each row. A relative path starts at the
            project's root, and stays below it: that of the test run, else the nearest folder above the calling file
            with a pyproject.toml. Without one it is named after the test or function:
            `cassettes/<path of the file>/<name>.jsonl`.
        mode: `replay`, `record`, `update`, `extend` or `off`. The command line and `INTERCEPT_MODE` win over it;
            `replay` if nobody says.
        adapters: the names of the SDKs to look at, such as `["openai"]`; all that are known if left out.
        caps: what models can do, by model, where you know better than public lists: `{"gpt-4o": {"tools": True}}`.
        failures: whether a recording keeps timeouts and broken connections, to be replayed as such.
        keep_headers: response headers to store beside those that matter to the SDKs.
        allow_encoding: content encodings of answers that may be stored as they came though nobody here can decode them,
            and so look for secrets in them.
        keep_on_error: whether a recording takes its cassette's place even if the body fails.
        verify: whether a session fails at its end if the application swallowed a miss.
        strict: whether a row that cannot be written is raised at once; else at the end, and the application gets its
            answer.
        expect_rate_limited: whether a recording is kept only if every answer is 429.
        world_writable: whether to record in a folder that anybody may write, and so change what is replayed.
        redact: what to hide beside what always is: compiled patterns, JSON paths that start at a body (`"$.user"`),
            `intercept.EMAIL` and `intercept.PHONE`, and hooks `hook(value, where)` that return what is to be stored
            (`where` is "request", "event" or "header"). Hooks come first.
        block_network: whether nothing may leave this machine while the session lasts; in pytest that is so in `replay`,
            if nobody says otherwise.
        allow_hosts: names, addresses and networks that stay open nevertheless.

    Raises:
        CassetteError: the cassette is missing in `replay`, cannot be read or written, or is being recorded already.
        ConfigError: a mode or an adapter does not exist, an SDK is not installed, or `caps` holds what no model has.

    """
    try:
        known = Settings(**settings)
    except TypeError as error:
        names = ", ".join(field.name for field in fields(Settings))
        raise TypeError(f"use_cassette(): {error}; its settings are {names}") from None
    caller = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  inspect.stack() reads source files
    if callable(cassette) or isinstance(cassette, classmethod):  # the one kind of function that is not callable
        return CassetteDoor(None, caller.f_code.co_filename, caller.f_code.co_name, known)(cast("Any", cassette))
    return CassetteDoor(cassette, caller.f_code.co_filename, caller.f_code.co_name, known)


def current_session() -> Session | None:
    """Return the session in force for the calling code, None without one: what was played is in its `calls`."""
    session: Session | None = current.find()
    return session


def validate(cassette: str | os.PathLike[str]) -> list[CassetteError]:
    """Look at every row of a cassette as closely as when it is served; return every fault, none for a good one.

    `cassette` is a path; a relative one starts at the working directory.
    """
    from intercept.rescue import validate

    return validate(cassette)


class CassetteDoor:
    """What `use_cassette` returns. One door may be gone through many times; each time is a session of its own.

    What it takes to go through is imported then: `import intercept` stays light.
    """

    def __init__(self, cassette: str | os.PathLike[str] | None, file: str, name: str, settings: Settings) -> None:
        self._cassette = cassette
        self._file = file
        self._name = name
        self._settings = settings
        self._entered: list[Session] = []

    def __call__(self, target: Decorated) -> Decorated:
        """Decorate a function, coroutine function, generator, async generator, or every test of a class."""
        from intercept.decorating import decorated

        kept: Decorated = decorated(target, self._door_of)
        return kept

    def _door_of(self, file: str, name: str) -> CassetteDoor:
        """Make the door for one run of a decorated function."""
        return CassetteDoor(self._cassette, file, name, self._settings)

    def __enter__(self) -> Session:
        """Start a session and return it."""
        from intercept.opening import opened

        session = opened(self._cassette, self._settings, file=self._file, name=self._name)
        self._entered.append(session)
        return session

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the session; raise `NotVerified` if the body went on after a miss."""
        from intercept.opening import closed

        # This context's own, else the last entered: a door may be gone through by several tasks at once.
        here = current.carried()
        session = here if here in self._entered else self._entered[-1]
        self._entered.remove(session)
        closed(session, error)

    async def __aenter__(self) -> Session:
        """Start a session and return it."""
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the session, like `__exit__`."""
        self.__exit__(kind, error, traceback)
