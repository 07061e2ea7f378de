"""The command as such: its version, and how it tells an error."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .shell import Shell


def test_version_is_the_installed_one(intercept: Shell) -> None:
    """`--version` names the distribution's version."""
    ran = intercept("--version")

    assert (ran.code, ran.out, ran.err) == (0, f"intercept {version('sdk-intercept')}\n", "")


def test_importing_the_command_loads_no_command_library(intercept: Shell) -> None:
    """The entry point itself costs nothing: pip's wrapper and `--help` of others import it too."""
    code = "import sys, intercept.cli as _; print(sorted({'click', 'rich', 'openai', 'anthropic'} & set(sys.modules)))"

    assert intercept.python(code).out == "[]\n"


@pytest.mark.parametrize("package", ["openai", "anthropic", "starlette", "uvicorn"])
def test_a_missing_package_is_named_with_the_way_out(intercept: Shell, package: str) -> None:
    """Without a package of the extra there is an error in words, no traceback, and exit code 2."""
    ran = intercept("demo", missing=(package,))

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert f"not installed: {package}." in ran.err
    assert 'pip install "sdk-intercept[demo]"' in ran.err
    assert "Traceback" not in ran.err


def test_all_missing_packages_are_named_at_once(intercept: Shell) -> None:
    """Nobody has to install one package to hear of the next."""
    ran = intercept("demo", missing=("openai", "anthropic", "starlette", "uvicorn"))

    assert "not installed: openai, anthropic, starlette, uvicorn." in ran.err


@pytest.mark.parametrize("arguments", [("--debug", "demo"), ("demo", "--debug")])
def test_debug_shows_the_traceback(intercept: Shell, arguments: tuple[str, ...]) -> None:
    """`--debug`, before or behind the command's name, shows where an error came from."""
    ran = intercept(*arguments, missing=("openai",))

    assert ran.code != 0
    assert "Traceback" in ran.err
    assert "intercept.errors.ConfigError: " in ran.err


def test_a_warning_is_told_in_words(intercept: Shell) -> None:
    """A warning of ours reaches the terminal without the line of source that Python would show."""
    (intercept.folder / "intercept-demo.partial.jsonl").touch()

    ran = intercept("demo", env={"PYTHONWARNINGS": "default::UserWarning"})

    assert ran.code == 0
    assert ran.err.startswith("warning: ")
    assert len(ran.err.splitlines()) == 1
