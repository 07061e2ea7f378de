"""What the tests of streams share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from intercept.loopback import Provider
from tests.conformance.streams.runs import Runs
from tests.conftest import Canary


@pytest.fixture
def runs(provider: Provider, canary: Canary, cassette: Path) -> Runs:
    """Run a scenario unpatched, recorded and replayed."""
    return Runs(provider, canary, cassette)


@pytest.fixture(autouse=True, scope="module")
def _quick_collections() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Leave what is here already out of every `gc.collect()`, which would take longer than a test."""
    gc.freeze()
    yield
    gc.unfreeze()
