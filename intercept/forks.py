"""Forks: what is recorded stays whole, whichever thread forks while others record."""

from __future__ import annotations

import os
import threading
from typing import Final

from intercept import current

_one: Final = threading.Lock()  # a fork at a time
_held: Final[list[current.Lock]] = []
_watched: Final[list[bool]] = []


def watch() -> None:
    """Have every fork of this process wait until no session is in the middle of something."""
    if not _watched and hasattr(os, "register_at_fork"):
        _watched.append(True)
        # The child is a copy of the thread that forks, and so holds what that thread holds.
        os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_release)


def _hold() -> None:
    _one.acquire()
    for thread in current.background():
        thread.join()
    for lock in current.locks():
        lock.acquire()
        _held.append(lock)
    current.share()


def _release() -> None:
    while _held:
        _held.pop().release()
    _one.release()
