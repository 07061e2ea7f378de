"""Putting a session together and into force, and ending it: what stands behind the front doors."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, TypedDict

from intercept import adapters, capabilities, current, forks, modes, paths, runs, threads, words
from intercept.capabilities import Capabilities
from intercept.cassette import files
from intercept.cassette.format import Origin
from intercept.cassette.identities import Identities
from intercept.cassette.layouts import layout_of
from intercept.cassette.replayer import Replayer
from intercept.errors import CassetteError, ConfigError, warn
from intercept.guard import children, loops, policy
from intercept.patching import PATCHES
from intercept.redaction import Redactors
from intercept.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.cassette.index import Cassette
    from intercept.cassette.layouts import Layout
    from intercept.cassette.recorder import Recorder
    from intercept.modes import Mode
    from intercept.paths import Location
    from intercept.runs import Run
    from intercept.settings import Settings


_POINTS = (*threads.PATCH_POINTS, *children.PATCH_POINTS, *loops.PATCH_POINTS)
"""What is wrapped beside the SDKs."""


class Sources(TypedDict, total=False):
    """What a session is given to answer and to keep calls."""

    replayer: Replayer | None
    recorder: Recorder


def opened(cassette: str | os.PathLike[str] | None, settings: Settings, *, file: str, name: str) -> Session:
    """Start a session for code in `file`, in the function `name`, and put it in force."""
    root = paths.project_root(file)
    mode, source = modes.resolve(settings.mode, root)
    chosen = adapters.chosen(settings.adapters)
    location = paths.default(root, file, name) if cassette is None else paths.resolved(cassette, root)
    known = Capabilities(capabilities.given(settings.caps), chosen)
    redactors = Redactors(settings.redact)
    _refuse(location, mode, settings, root)
    try:
        origin = Origin(adapters.versions(chosen.values()), redactors.fingerprint)
        layout = layout_of(location, Identities(redactors, adapters.installed()))
        sources = _sources(layout, mode, source, origin=origin, known=known)
    except OSError as error:  # of the files by which recorders tell of themselves
        reason = f"it cannot be recorded: {error.filename or 'the folder for locks'}: {files.reason_of(error)}"
        raise CassetteError(str(location.path), reason) from error
    session = Session(
        mode,
        location.path,
        mode_source=source,
        adapters=chosen,
        capabilities=known,
        settings=settings,
        redactors=redactors,
        **sources,
    )
    try:
        forks.watch()
        if session.intercepting:
            PATCHES.activate(chosen.values(), _POINTS)
        try:
            session.block = policy.begin(session, settings, root)
        except BaseException:
            PATCHES.deactivate()
            raise
    except BaseException as error:
        session.finish(error)
        raise
    current.enter(session)
    return session


def closed(session: Session, error: BaseException | None) -> None:
    """End a session whose body was ended by `error`, or by itself."""
    current.leave(session)
    policy.end(session.block)
    try:
        session.finish(error)
    finally:
        if session.intercepting:
            PATCHES.deactivate()


def _refuse(location: Location, mode: Mode, settings: Settings, root: Path) -> None:
    """Refuse settings that do not go together, and a place where others could change what is recorded."""
    if mode == "extend" and settings.expect_rate_limited:
        raise ConfigError("expect_rate_limited keeps or leaves a whole recording; `extend` keeps each row at once.")
    folder = location.path if location.folder else location.path.parent
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent  # what is yet to be made in an open folder can be put aside there
    allowed = settings.world_writable or modes.project_settings(root).get("world_writable") is True
    if mode in ("record", "update", "extend") and files.open_to_all(folder) and not allowed:
        raise CassetteError(
            str(folder),
            "anybody may write this folder, and so change what is recorded in it.\n\n"
            f"  Close it:  chmod o-w {shlex.quote(str(folder))}\n"
            "  Or allow it:  world_writable = true in [tool.intercept] of pyproject.toml, or in code",
        )


def _sources(layout: Layout, mode: Mode, mode_source: str, *, origin: Origin, known: Capabilities) -> Sources:
    """Open what answers calls and what keeps them, as the mode asks for."""
    run = runs.joined()
    if mode == "off":
        return {}
    if mode == "replay":
        if not os.path.lexists(layout.path):
            raise CassetteError(
                str(layout.path),
                f"there is no such cassette to replay (mode replay, by {mode_source}).\n\n"
                f"  Record it:  {words.how_to_record()}",
            )
        return {"replayer": _replayer(layout.read(), run)}
    if mode == "extend":
        from intercept.cassette.extending import Extender

        extender = Extender(layout, origin=origin, run=run, caps=known.of)
        try:
            found = extender.cassette
            return {"recorder": extender, "replayer": None if found is None else _replayer(found, run)}
        except BaseException:
            extender.close()
            raise
    from intercept.cassette.exclusive import Exclusive

    return {"recorder": Exclusive(layout, mode, origin=origin, run=run)}


def _replayer(cassette: Cassette, run: Run | None) -> Replayer:
    try:
        _refuse_strangers(cassette)
    except BaseException:
        cassette.close()
        raise
    for remark in cassette.remarks:
        warn(remark)
    return Replayer(cassette, None if run is None else run.part("replay", cassette.path))


def _refuse_strangers(cassette: Cassette) -> None:
    """Refuse rows of adapters that are not here, and usage in a reading they do not know."""
    for name, _ in cassette.groups:
        if name not in adapters.installed():
            raise ConfigError(
                f'{cassette.path} holds calls of the adapter "{name}", which is not installed. '
                f"Installed: {', '.join(sorted(adapters.installed()))}."
            )
    for name, reading in cassette.readings.items():
        ours = adapters.installed()[name].usage_semantics
        if reading != ours:
            raise CassetteError(
                str(cassette.path),
                f'usage_semantics: the usage of {name} is in the reading "{reading:.60}", and the installed adapter '
                f'knows "{ours}" alone; record it anew:  {words.how_to_record()}',
            )
