"""The pytest plugin: `--intercept=MODE`, and one run for all tests of a pytest run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--intercept=MODE`."""
    group = parser.getgroup("intercept", "recorded and replayed SDK calls")
    group.addoption("--intercept", metavar="MODE", help="replay, record or off; wins over INTERCEPT_MODE and code")


def pytest_configure(config: pytest.Config) -> None:
    """Begin the run; one inside another, as plugin authors start them, gives way again at its end."""
    from intercept import modes, runs

    before = runs.current, modes.override
    runs.current = runs.Run(root=config.rootpath)
    modes.override = config.getoption("--intercept")
    if not any("InterceptWarning" in line for line in config.getini("filterwarnings")):
        # Where a suite turns all warnings into errors, a remark of ours must not fail a test that passes without us.
        config.addinivalue_line("filterwarnings", "default::intercept.InterceptWarning")

    def end() -> None:
        runs.current, modes.override = before

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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let the run know which test begins."""
    from intercept import runs

    if runs.current is not None:
        runs.current.begin(item.nodeid)
