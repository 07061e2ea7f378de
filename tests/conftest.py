"""What every test has: an environment without keys, classes as the SDKs ship them, a provider, and a trap for leaks."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from intercept import adapters, current
from intercept.loopback import Provider
from intercept.threads import PATCH_POINTS


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out of the environment what would steer the SDKs or us."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "ANTHROPIC_", "AZURE_", "INTERCEPT_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _classes_as_shipped() -> Iterator[None]:
    """Fail a test that leaves any patched class with another object than it found there."""
    before = shipped()
    yield
    assert not current._active, "a session was left active"
    after = shipped()
    for owner, members in before.items():
        changed = [name for name, member in members.items() if after[owner].get(name) is not member]
        assert not changed, f"{owner} was left with other {changed}"
        added = after[owner].keys() - members.keys() - {"__slotnames__"}  # Python's own, once an object is copied
        assert not added, f"{owner} was left with {added}"


def shipped() -> dict[Any, dict[str, Any]]:
    """Return `vars()` of every class that a session touches, for what is imported."""
    points = [*PATCH_POINTS, *(point for adapter in adapters.installed().values() for point in adapter.patch_points)]
    found: dict[Any, dict[str, Any]] = {}
    for point in points:
        owner: Any = getattr(sys.modules.get(point.module), point.target.partition(".")[0], None)
        if owner is not None:
            found[owner] = {**vars(owner)}
    return found


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider on this machine."""
    with Provider() as running:
        yield running


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Where a cassette may be made."""
    return tmp_path / "cassettes" / "test.jsonl"


class Canary:
    """Listens where a provider could be, and notes whatever arrives: in a replay nothing may."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        """Stop listening."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def canary() -> Iterator[Canary]:
    """An address that must stay untouched; the test fails if it does not."""
    trap = Canary()
    yield trap
    trap.close()
    assert trap.connections == 0, "a replay dialled out"
