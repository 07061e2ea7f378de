"""Putting a session together and into force, and ending it: what stands behind the front doors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from intercept import adapters, capabilities, current, modes, paths, runs, words
from intercept.cassette.reading import read
from intercept.cassette.recorder import Recorder
from intercept.cassette.replayer import Replayer
from intercept.errors import CassetteError, ConfigError
from intercept.patching import PATCHES
from intercept.session import Session
from intercept.threads import PATCH_POINTS

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.settings import Settings


def opened(cassette: str | os.PathLike[str] | None, settings: Settings, *, file: str, name: str) -> Session:
    """Start a session for code in `file`, in the function `name`, and put it in force."""
    root = paths.project_root(file)
    mode, source = modes.resolve(settings.mode, root)
    chosen = adapters.chosen(settings.adapters)
    path = paths.default(root, file, name) if cassette is None else paths.resolved(cassette, root)
    session = Session(
        mode,
        path,
        mode_source=source,
        adapters=chosen,
        replayer=_replayer(path, source) if mode == "replay" else None,
        recorder=_recorder(path, adapters.versions(chosen.values())) if mode == "record" else None,
        caps=capabilities.given(settings.caps),
        failures=settings.failures,
        keep_headers=tuple(settings.keep_headers),
        keep_on_error=settings.keep_on_error,
        verify=settings.verify,
    )
    try:
        if session.intercepting:
            PATCHES.activate(chosen.values(), PATCH_POINTS)
    except BaseException as error:
        session.finish(error)
        raise
    current.enter(session)
    return session


def closed(session: Session, error: BaseException | None) -> None:
    """End a session whose body was ended by `error`, or by itself."""
    current.leave(session)
    try:
        session.finish(error)
    finally:
        if session.intercepting:
            PATCHES.deactivate()


def _recorder(path: Path, sdks: dict[str, str]) -> Recorder:
    return Recorder(path, sdks=sdks, run=runs.current)


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
    for name, reading in cassette.readings.items():
        ours = adapters.installed()[name].usage_semantics
        if reading != ours:
            raise CassetteError(
                str(path),
                f'usage_semantics: the usage of {name} is in the reading "{reading:.60}", and the installed adapter '
                f'knows "{ours}" alone; record it anew:  {words.how_to_record()}',
            )
    return Replayer(cassette, None if runs.current is None else runs.current.part("replay", path))
