"""What the tests of streams share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.conformance.stage import Stage
from tests.conformance.streams.runs import Runs


@pytest.fixture
def runs(stage: Stage) -> Runs:
    """Run a scenario unpatched, recorded and replayed."""
    return Runs(stage)


@pytest.fixture(autouse=True, scope="module")
def _quick_collections() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Leave what is here already out of every `gc.collect()`, which would take longer than a test."""
    gc.freeze()
    yield
    gc.unfreeze()
