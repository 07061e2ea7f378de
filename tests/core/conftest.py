"""What several modules of these tests begin with: files that are there already, and no test run around them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask
from tests.core.failing_files import Faults
from tests.core.handmade import header
from tests.core.recording import OLD


@pytest.fixture
def no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every recording replaces the cassette, as it does outside of a test run."""
    monkeypatch.setattr(runs, "current", None)


@pytest.fixture
def a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program, not a test run; the tests that are about runs say so."""
    monkeypatch.setattr(runs, "current", None)
    monkeypatch.delenv("PYTEST_CURRENT_TEST")


@pytest.fixture(params=["test.jsonl", "test/"], ids=["file", "folder"])
def named(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a cassette may be made, in either layout."""
    return f"{tmp_path}/cassettes/{request.param}"


@pytest.fixture
def old(cassette: Path) -> Path:
    """A cassette that exists already."""
    cassette.parent.mkdir()
    cassette.write_bytes(OLD)
    return cassette


@pytest.fixture
def empty(cassette: Path) -> Path:
    """A cassette without rows: enough for a session."""
    cassette.parent.mkdir()
    cassette.write_bytes(header())
    return cassette


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file under test lies; its folder holds nothing else."""
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "x.jsonl"


@pytest.fixture(params=["file", pytest.param("folder", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a cassette may be made, of either layout: a folder that is there already is one of rows."""
    if request.param == "file":
        return tmp_path / "x.jsonl"
    (tmp_path / "x").mkdir()
    return tmp_path / "x"


@pytest.fixture
def faults() -> Iterator[Faults]:
    """What may be made to fail; after the test everything works again."""
    with pytest.MonkeyPatch.context() as patches:
        yield Faults(patches)


@pytest.fixture
def played(provider: Provider, tmp_path: Path) -> Path:
    """A cassette with two answers to one question, by each SDK's synchronous client."""
    path = tmp_path / "played.jsonl"
    with intercept.use_cassette(path, mode="record"):
        for caller in CALLERS[::2]:
            caller.run(_twice, caller.client(provider.url))
    return path


async def _twice(client: Any) -> Any:
    return [await ask(client), await ask(client)]
