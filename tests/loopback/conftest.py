"""Clients that point at the provider, and every way to speak to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .clients import Clients
from .speak import EVERY, Speak

if TYPE_CHECKING:
    from intercept.loopback import Provider


@pytest.fixture
def clients(provider: Provider) -> Clients:
    """Point the SDKs at the provider; they do not retry."""
    return Clients(provider.url)


@pytest.fixture(params=EVERY, ids=str)
def speak(request: pytest.FixtureRequest) -> Speak:
    """Speak to each API, sync and async, whole and streamed."""
    chosen = request.param
    assert isinstance(chosen, Speak)
    return chosen
