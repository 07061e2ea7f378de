"""What conformance tests have in common."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import anyio
import pytest

from intercept.loopback import Provider
from tests.conformance.stage import Stage
from tests.conftest import Canary


@pytest.fixture
def stage(provider: Provider, canary: Canary, cassette: Path) -> Stage:
    """Where a scenario is run three times."""
    return Stage(provider, canary, cassette)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Note what the SDKs sleep between tries, in no time; their jitter does not vary."""
    noted: list[float] = []
    really = time.sleep

    async def sleep(seconds: float) -> None:
        noted.append(seconds)
        await asyncio.sleep(0)

    def sleep_now(seconds: float) -> None:
        """Others wait too: for a lock, or for a thread."""
        caller = sys._getframe(1).f_globals["__name__"]
        if caller in ("openai._base_client", "anthropic._base_client"):
            noted.append(seconds)
        else:
            really(seconds)

    monkeypatch.setattr(time, "sleep", sleep_now)
    monkeypatch.setattr(anyio, "sleep", sleep)
    for sdk in ("openai", "anthropic"):
        monkeypatch.setattr(sys.modules[f"{sdk}._base_client"], "random", lambda: 0.5)
    return noted
