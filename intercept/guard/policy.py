"""Who blocks the network: a session that replays, where somebody asks for it, and in pytest by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from intercept import modes
from intercept.errors import ConfigError
from intercept.guard.hook import GUARD, Block

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.session import Session
    from intercept.settings import Settings

override: bool | None = None
"""What the command line says; it wins."""
by_default: bool = False
"""What holds where nobody says anything: pytest sets it."""


def begin(session: Session, settings: Settings, root: Path) -> Block | None:
    """Block the network for a session, if it is to be; only replays never need it."""
    if not (session.offline and _asked(settings, root)):
        return None
    hosts = (*settings.allow_hosts, *_listed(root))
    block = Block(session.name, hosts, session.blocked, session)
    GUARD.begin(block)
    return block


def end(block: Block | None) -> None:
    """Open it again."""
    if block is not None:
        GUARD.end(block)


def _asked(settings: Settings, root: Path) -> bool:
    for said in (override, settings.block_network, modes.project_settings(root).get("block_network")):
        if isinstance(said, bool):
            return said
        if said is not None:
            raise ConfigError(f"block_network: {said!r} in {root / 'pyproject.toml'} is neither true nor false")
    return by_default


def _listed(root: Path) -> list[str]:
    told: Any = modes.project_settings(root).get("allow_hosts", [])
    items = cast("list[object]", told) if isinstance(told, list) else [None]
    hosts = [host for host in items if isinstance(host, str)]
    if len(hosts) != len(items):
        raise ConfigError(f"allow_hosts: {told!r:.60} in {root / 'pyproject.toml'} is no list of hosts")
    return hosts
