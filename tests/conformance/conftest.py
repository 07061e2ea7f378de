"""What conformance tests have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from intercept.loopback import Provider
from tests.conformance.stage import Stage
from tests.conftest import Canary


@pytest.fixture
def stage(provider: Provider, canary: Canary, cassette: Path) -> Stage:
    """Where a scenario is run three times."""
    return Stage(provider, canary, cassette)
