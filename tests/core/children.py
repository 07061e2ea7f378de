"""Processes of their own that start at once, for they are forked from one that has imported all they need."""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier, Event
from typing import Any, Concatenate, Final, ParamSpec

from intercept import runs

Report = Callable[[Any], None]
Parameters = ParamSpec("Parameters")
Program = Callable[Concatenate[Report, Parameters], None]

PATIENCE: Final = 20.0
"""Seconds; whoever takes longer hangs."""

_WARM: Final = multiprocessing.get_context("forkserver")
_WARM.set_forkserver_preload(["pytest", "tests.core.warmed", "tests.core.children", "tests.core.recording"])


class Child:
    """One process, which runs a function and reports to us through a pipe until it ends or dies."""

    context: ForkServerContext | SpawnContext = _WARM

    def __init__(self, program: Program[Parameters], *args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        self._reports, theirs = self.context.Pipe(duplex=False)
        self.process: BaseProcess = self.context.Process(target=_run, args=(theirs, program, args, kwargs))
        self.process.start()
        self._given = args, kwargs  # a sign among them is gone with the last reference to it
        theirs.close()

    @property
    def pid(self) -> int:
        """Its number."""
        assert self.process.pid is not None
        return self.process.pid

    def report(self) -> Any:
        """Wait for its next report."""
        assert self._reports.poll(PATIENCE), "the child neither reports nor ends"
        return self._reports.recv()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def rest(self) -> list[Any]:
        """Wait for its end, and return what it reported until then."""
        reports: list[Any] = []
        try:
            while True:
                reports.append(self.report())
        except EOFError:
            self.process.join(PATIENCE)
        assert self.process.exitcode is not None, "the child does not end"
        self._reports.close()
        return reports

    @property
    def ended(self) -> int | None:
        """Its exit code: 0 for a normal end, the negative number of the signal that killed it."""
        return self.process.exitcode


class ColdChild(Child):
    """One that begins from nothing, as on systems without fork."""

    context = multiprocessing.get_context("spawn")


def barrier(count: int) -> Barrier:
    """Make a place where so many children wait for each other."""
    return _WARM.Barrier(count)


def event() -> Event:
    """Make a sign that children and we give each other."""
    return _WARM.Event()


def ended_well(*children: Child) -> list[list[Any]]:
    """Return what each child reported until its end, which must be a normal one."""
    reports = [child.rest() for child in children]
    assert [child.ended for child in children] == [0] * len(children), reports
    return reports


def _run(reports: Connection, program: Callable[..., None], args: Any, kwargs: Any) -> None:
    warnings.simplefilter("error")
    # Python warns of any fork beside threads; that is what some tests are about.
    warnings.filterwarnings("ignore", ".*multi-threaded, use of fork", DeprecationWarning)
    runs.current = None
    program(reports.send, *args, **kwargs)
