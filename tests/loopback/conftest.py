"""A running provider, clients that point at it, and every way to speak to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from intercept.loopback import Provider

from .clients import Clients
from .speak import EVERY, Speak

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Run a provider for one test."""
    with Provider() as running:
        yield running


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
