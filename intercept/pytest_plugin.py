"""The pytest plugin: `--intercept=MODE`, and one run for all tests of a pytest run."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any, cast

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--intercept=MODE` and `--intercept-block-network`."""
    group = parser.getgroup("intercept", "recorded and replayed SDK calls")
    group.addoption(
        "--intercept-block-network",
        choices=["on", "off"],
        help="whether nothing may leave this machine while a session replays; on if nobody says otherwise",
    )
    group.addoption(
        "--intercept", metavar="MODE", help="replay, record, update, extend or off; wins over INTERCEPT_MODE and code"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin the run; one inside another, as plugin authors start them, gives way again at its end."""
    from intercept import modes, runs
    from intercept.guard import policy

    before, told = (runs.current, modes.override, policy.override, policy.by_default), os.environ.get(runs.VARIABLE)
    is_worker = hasattr(config, "workerinput")  # of pytest-xdist: it belongs to the run that started it
    run = runs.Run(config.rootpath, told) if is_worker and told else runs.Run(config.rootpath)
    runs.current = run
    os.environ[runs.VARIABLE] = run.id
    modes.override = config.getoption("--intercept")
    policy.override = {"on": True, "off": False}.get(config.getoption("--intercept-block-network") or "")
    policy.by_default = True
    if not any("InterceptWarning" in line for line in config.getini("filterwarnings")):
        # Where a suite turns all warnings into errors, a remark of ours must not fail a test that passes without us.
        config.addinivalue_line("filterwarnings", "default::intercept.InterceptWarning")

    def end() -> None:
        from intercept.cassette import state

        runs.current, modes.override, policy.override, policy.by_default = before
        if run.id == told:
            return
        state.forget(run.id)
        os.environ.pop(runs.VARIABLE, None)
        if told is not None:
            os.environ[runs.VARIABLE] = told

    config.add_cleanup(end)


def pytest_report_header(config: pytest.Config) -> str:
    """Say which mode is in force, and who chose it."""
    from intercept import modes
    from intercept.errors import ConfigError

    try:
        mode, source = modes.resolve(None, config.rootpath)
    except ConfigError as error:
        return f"intercept: {error}"
    return f"intercept: {mode}, by {source}"


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Report an error of ours, or one that came from it, by the steps of the test and its application alone.

    Between them and us stand the SDK's and ours, whose variables hold what was asked, and with which key. Not first of
    all: pytest's own hook puts in the error of a `unittest.TestCase`.
    """
    if call.excinfo is not None and not item.config.getoption("fulltrace"):
        from intercept.tracebacks import cleared

        error = call.excinfo.value
        if cleared(error) and error.__traceback__ is not None:
            # Its type is unknown to checkers: any exception.
            call.excinfo = cast("Any", pytest.ExceptionInfo).from_exception(error)


@pytest.hookimpl(specname="pytest_runtest_makereport", wrapper=True)
def pytest_report_without_steps(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report an error of ours in its words alone where no step is one of the test's, as when a cassette is missing."""
    from intercept.errors import InterceptError

    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, InterceptError):
        from intercept.tracebacks import leads_nowhere

        if leads_nowhere(call.excinfo.value) and not item.config.getoption("fulltrace"):
            report.longrepr = call.excinfo.getrepr(style="value")
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let the run know which test begins."""
    from intercept import runs

    if runs.current is not None:
        runs.current.begin(item.nodeid)
