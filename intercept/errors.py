"""Every error and warning a user can meet, each with its facts on attributes."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


class InterceptError(Exception):
    """Base of every error raised by `intercept`. Worker processes may hand it on: it can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild from text and attributes; the constructors make their text from the attributes."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[InterceptError], args: tuple[Any, ...], attributes: dict[str, Any]) -> InterceptError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class ConfigError(InterceptError):
    """A setting, a name or a combination of sessions that cannot work."""


class CassetteError(InterceptError):
    """A cassette that cannot be read or written: its place, and the reason.

    `where` is `path` or `path:line`.
    """

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


class CannotPatch(InterceptError):
    """An SDK lacks a place that `intercept` must patch, so its calls are refused rather than sent.

    `sdk` is its import name, `version` the installed one, `target` the missing place.
    """

    def __init__(self, sdk: str, version: str, target: str) -> None:
        super().__init__(
            f"{sdk} {version} has no {target}, so intercept cannot see its calls and refuses them.\n\n"
            f"  Install a version of {sdk} that this intercept supports, or a newer sdk-intercept."
        )
        self.sdk = sdk
        self.version = version
        self.target = target


class RedactionError(InterceptError):
    """A hook of `redact=` failed, so what it was given could be neither stored nor known again.

    `hook` is its name, `where` the part it was given ("request", "event" or "header"), and `operation` the call's.
    """

    def __init__(self, hook: str, where: str, fault: str, operation: str = "") -> None:
        of = f" of {operation}" if operation else ""
        super().__init__(
            f"the hook {hook} in redact=, given the {where}{of}, {fault}; the call has no row.\n\n"
            "  A hook takes (value, where), where being request, event or header, and returns what is to be stored."
        )
        self.hook = hook
        self.where = where
        self.fault = fault
        self.operation = operation

    def given(self, operation: str) -> RedactionError:
        """Return the error with the name of the call."""
        return RedactionError(self.hook, self.where, self.fault, operation)


class Miss(InterceptError):
    """A call for which nothing can be replayed; raised at the call, after one attempt and no waiting.

    `adapter`, `operation` and `request_hash` name the call, `cassette` the file that was searched; `recorded` and
    `served` count the rows of this very request. Where it has none, `nearest` is the place of the row that is most like
    it (`path:line`, or the file of a row), and `differing` the paths at which the two differ, such as
    `messages[1].content`.
    """

    def __init__(  # noqa: PLR0913  the facts of a miss
        self,
        text: str,
        *,
        adapter: str,
        operation: str,
        request_hash: str,
        cassette: str,
        recorded: int = 0,
        served: int = 0,
        nearest: str | None = None,
        differing: tuple[str, ...] = (),
    ) -> None:
        super().__init__(text)
        self.adapter = adapter
        self.operation = operation
        self.request_hash = request_hash
        self.cassette = cassette
        self.recorded = recorded
        self.served = served
        self.nearest = nearest
        self.differing = differing


class NeverRecorded(Miss):
    """The request was never recorded in this cassette."""


class Exhausted(Miss):
    """The request was recorded, but every one of its rows, or every event of its row, has been served."""


class NotCovered(Miss):
    """A way to the provider that `intercept` does not cover, and so can neither replay nor let pass: a websocket."""


class NetworkBlocked(InterceptError):
    """A connection or a look-up that would have left this machine while the network is blocked; nothing was sent.

    `event` is the audit event of Python, such as `socket.connect`, and `address` the host, with its port if told.
    """

    def __init__(self, event: str, address: str, session: str) -> None:
        super().__init__(
            f"{session} blocks the network, and {event} to {address} would have left this machine.\n\n"
            f'  Let it through:   allow_hosts=["{address.rpartition(":")[0] or address}"]\n'
            "  Or everything:    block_network=False, in code or in [tool.intercept] of pyproject.toml"
        )
        self.event = event
        self.address = address
        self.session = session


class NotVerified(InterceptError):
    """A session ended cleanly for its body, yet not everything was as it should be.

    `misses` holds the misses the application swallowed, `failures` what else went wrong behind its back: a row that
    could not be written, or not be served.
    """

    def __init__(self, text: str, *, misses: tuple[Miss, ...] = (), failures: tuple[Exception, ...] = ()) -> None:
        super().__init__(text)
        self.misses = misses
        self.failures = failures


class InterceptWarning(UserWarning):
    """Something worth a look that does not stop the work."""


def warn(text: str) -> None:
    """Warn with the line of the code that uses us."""
    level = 1
    frame: FrameType | None = sys._getframe()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "intercept":
        frame, level = frame.f_back, level + 1
    warnings.warn(InterceptWarning(text), stacklevel=level)
