"""The front door: `use_cassette`, as context manager, sync or async, and as decorator."""

from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from intercept import adapters, current, modes, paths, runs, words
from intercept.cassette import Recorder, Replayer, read
from intercept.decorating import decorated
from intercept.errors import CassetteError, ConfigError
from intercept.patching import PATCHES
from intercept.session import Session
from intercept.threads import PATCH_POINTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

    from intercept.spi import Adapter

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
    keep_headers: Iterable[str] = (),
    keep_on_error: bool = False,
    verify: bool = True,
) -> CassetteDoor: ...


def use_cassette(cassette: Any = None, /, **settings: Any) -> Any:  # noqa: D417  the overload spells them out
    """Record to, or replay from, a cassette: in a `with` or `async with` block, or around a decorated function.

    Args:
        cassette: its file. A relative path starts at the project's root: that of the test run, else the nearest folder
            above the calling file with a pyproject.toml. Without one it is named after the test or function:
            `cassettes/<path of the file>/<name>.jsonl`.
        mode: `replay`, `record` or `off`. The command line and `INTERCEPT_MODE` win over it; `replay` if nobody says.
        adapters: the names of the SDKs to look at, such as `["openai"]`; all that are known if left out.
        keep_headers: response headers to store beside those that matter to the SDKs.
        keep_on_error: whether a recording takes its cassette's place even if the body fails.
        verify: whether a session fails at its end if the application swallowed a miss.

    Raises:
        CassetteError: the cassette is missing in `replay`, or cannot be read or written.
        ConfigError: a mode or an adapter does not exist, or an SDK is not installed.

    """
    caller = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  inspect.stack() reads source files
    if callable(cassette) or isinstance(cassette, classmethod):  # the one kind of function that is not callable
        return CassetteDoor(None, caller.f_code.co_filename, caller.f_code.co_name, settings)(cast("Any", cassette))
    return CassetteDoor(cassette, caller.f_code.co_filename, caller.f_code.co_name, settings)


class CassetteDoor:
    """What `use_cassette` returns. One door may be gone through many times; each time is a session of its own."""

    def __init__(self, cassette: str | os.PathLike[str] | None, file: str, name: str, settings: dict[str, Any]) -> None:
        known = {"mode", "adapters", "keep_headers", "keep_on_error", "verify"}
        if unknown := sorted(settings.keys() - known):
            raise TypeError(f"use_cassette() has no setting {', '.join(unknown)}; it has {', '.join(sorted(known))}")
        self._cassette = cassette
        self._file = file
        self._name = name
        self._settings = settings
        self._entered: list[Session] = []

    def __call__(self, target: Decorated) -> Decorated:
        """Decorate a function, coroutine function, generator, async generator, or every test of a class."""
        kept: Decorated = decorated(target, self._door_of)
        return kept

    def _door_of(self, function: Callable[..., Any]) -> CassetteDoor:
        """Make the door for one run of a decorated function."""
        file = inspect.unwrap(function).__code__.co_filename
        name = function.__qualname__.replace("<locals>.", "")
        return CassetteDoor(self._cassette, file, name, self._settings)

    def __enter__(self) -> Session:
        """Start a session and return it."""
        root = paths.project_root(self._file)
        mode, source = modes.resolve(self._settings.get("mode"), root)
        chosen = adapters.chosen(self._settings.get("adapters"))
        if self._cassette is None:
            path = paths.default(root, self._file, self._name)
        else:
            path = paths.resolved(self._cassette, root)
        session = _session(mode, source, path, chosen, self._settings)
        try:
            if session.intercepting:
                PATCHES.activate(chosen.values(), PATCH_POINTS)
        except BaseException as error:
            session.finish(error)
            raise
        current.enter(session)
        self._entered.append(session)
        return session

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the session; raise `NotVerified` if the body went on after a miss."""
        session = self._leaving()
        current.leave(session)
        try:
            session.finish(error)
        finally:
            if session.intercepting:
                PATCHES.deactivate()

    async def __aenter__(self) -> Session:
        """Start a session and return it."""
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the session, like `__exit__`."""
        self.__exit__(kind, error, traceback)

    def _leaving(self) -> Session:
        """Pick the session to end: this context's own, else the last entered."""
        here = current.carried()
        session = here if here in self._entered else self._entered[-1]
        self._entered.remove(session)
        return session


def _session(
    mode: modes.Mode, source: str, path: Path, chosen: dict[str, Adapter], settings: dict[str, Any]
) -> Session:
    replayer = recorder = None
    if mode == "replay":
        replayer = _replayer(path, source)
    elif mode == "record":
        run = runs.current
        recorder = Recorder(
            path,
            sdks=adapters.versions(chosen.values()),
            holder=f"pid {os.getpid()}",
            run=run,
        )
    return Session(
        mode,
        path,
        mode_source=source,
        adapters=chosen,
        replayer=replayer,
        recorder=recorder,
        keep_headers=tuple(settings.get("keep_headers", ())),
        keep_on_error=settings.get("keep_on_error", False),
        verify=settings.get("verify", True),
    )


def _replayer(path: Path, source: str) -> Replayer:
    if not os.path.lexists(path):
        raise CassetteError(
            str(path),
            f"there is no such cassette to replay (mode replay, by {source}).\n\n  Record it:  {words.how_to_record()}",
        )
    cassette = read(path)
    for name, _ in cassette.groups:
        if name not in adapters.installed():
            raise ConfigError(
                f'{path} holds calls of the adapter "{name}", which is not installed. '
                f"Installed: {', '.join(sorted(adapters.installed()))}."
            )
    return Replayer(cassette, None if runs.current is None else runs.current.part("replay", path))
