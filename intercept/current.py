"""Which session is in force for the code that runs now.

A context variable holds it, so tasks and their children agree. Threads and pools get it from whoever started the thread
or submitted the work (`intercept.threads`). Work that began before any session belongs to the one active chain.
"""

from __future__ import annotations

import threading
import weakref
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

from intercept.errors import ConfigError

_session: Final[ContextVar[Any]] = ContextVar("intercept_session", default=None)
_started: Final[weakref.WeakKeyDictionary[threading.Thread, Any]] = weakref.WeakKeyDictionary()
_active: Final[list[Any]] = []  # every session entered and not left, oldest first
_lock: Final = threading.RLock()

Lock: TypeAlias = "threading.RLock"


_background: Final[list[threading.Thread]] = []


def in_background(thread: threading.Thread) -> None:
    """Have forks wait for a thread of ours: what it has half imported, a child could never import."""
    _background.append(thread)


def background() -> list[threading.Thread]:
    """Return those threads that are still at work."""
    return [thread for thread in _background if thread.is_alive()]


def locks() -> list[Lock]:
    """Return the locks of all active sessions, and our own: in the order in which they may be taken together."""
    return [*(session.lock for session in _active), _lock]


def share() -> None:
    """Let every active session know that a child, which is about to be forked, has it too."""
    for session in _active:
        session.shared = True


def carried() -> Any:
    """Return the session this code was given by its context or its thread's starter, ended or not; None without one."""
    session = _session.get()
    if session is None and _started:
        session = _started.get(threading.current_thread())
    return session


def find() -> Any:
    """Return the session in force or None; raise `ConfigError` where no answer is safe."""
    session = carried()
    if session is None:
        session = _innermost()
    elif session.ended:
        if not _active:
            return None
        raise ConfigError(
            f"This work began under a session that is over ({session.name}), so no cassette is right for it.\n\n"
            "  Finish or cancel threads and tasks before their session ends."
        )
    return session if session is None or session.intercepting else None


def _innermost() -> Any:
    with _lock:
        if not _active:
            return None
        if len({id(_root(session)) for session in _active}) > 1:
            names = ", ".join(session.name for session in _active)
            raise ConfigError(
                f"This work began before any session, and several unrelated ones are active ({names}).\n\n"
                "  Start the thread or submit the work inside the session it belongs to."
            )
        return _active[-1]


def _root(session: Any) -> Any:
    while session.outer is not None:
        session = session.outer
    return session


def enter(session: Any) -> None:
    """Put a session in force for this context and all that it starts."""
    session.outer = _living(carried())
    with _lock:
        _active.append(session)
    _session.set(session)


def leave(session: Any) -> None:
    """End a session. It may be left in another task than it was entered in, and out of order."""
    with _lock:
        if session in _active:
            _active.remove(session)
    session.ended = True
    # A token would not do: it can be reset only in the very context that set it.
    if _session.get() is session:
        _session.set(_living(session.outer))


def _living(session: Any) -> Any:
    while session is not None and session.ended:
        session = session.outer
    return session


def hand_over(thread: threading.Thread) -> None:
    """Give a thread that is about to start the session of the code that starts it."""
    session = carried()
    if session is not None:
        _started[thread] = session


class Carried:
    """A function that runs under the session of whoever submitted it."""

    __slots__ = ("function", "session")

    def __init__(self, function: Any) -> None:
        self.function = function
        self.session = carried()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function, then let the worker forget the session."""
        token = _session.set(self.session)
        try:
            return self.function(*args, **kwargs)
        finally:
            _session.reset(token)
