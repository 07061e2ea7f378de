"""A shell for every test, and one run of the demo that many tests look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .shell import Ran, Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def intercept(tmp_path: Path) -> Shell:
    """Run `intercept` in an empty folder."""
    return Shell(tmp_path)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Run `intercept demo` once."""
    return Shell(tmp_path_factory.mktemp("demo"))("demo")
