"""The highest number that a request can have: past it a call is refused before anything is sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import intercept
from intercept import runs
from intercept.cassette.format import HIGHEST_OCCURRENCE
from intercept.loopback import Provider
from tests.conformance.callers import Caller
from tests.core.recording import SYNC, asking, every_caller, record
from tests.core.storing import every_layout

pytestmark = pytest.mark.usefixtures("a_program")


def _numbered(cassette: Path, number: int) -> dict[Path, bytes]:
    """Give the last row this number; return every file of the cassette."""
    if cassette.is_dir():
        *_, file = sorted(cassette.iterdir())
        file.write_text(json.dumps({**json.loads(file.read_bytes()), "occurrence": number}))
        return {file: file.read_bytes() for file in cassette.iterdir()}
    *lines, last = cassette.read_bytes().splitlines()
    cassette.write_bytes(b"\n".join([*lines, json.dumps({**json.loads(last), "occurrence": number}).encode(), b""]))
    return {cassette: cassette.read_bytes()}


def _ask(cassette: Path, mode: str, caller: Caller, url: str, *texts: str) -> None:
    with intercept.use_cassette(cassette, mode=mode):
        caller.run(asking(*texts), caller.client(url, max_retries=1))


@every_layout
@every_caller
def test_extending_past_the_highest_number_is_refused_unsent(
    caller: Caller, name: str, provider: Provider, tmp_path: Path
) -> None:
    """As often as it is tried, at the call itself; nothing is written, and other requests are recorded."""
    cassette = tmp_path / name
    if not cassette.suffix:
        cassette.mkdir()
    record(cassette, provider.url, "hi", caller=caller)
    before = _numbered(cassette, HIGHEST_OCCURRENCE)
    hits = provider.hits

    for _ in range(2):
        with pytest.raises(intercept.CassetteError, match=f"{HIGHEST_OCCURRENCE + 1} is past the highest number"):
            _ask(cassette, "extend", caller, provider.url, "hi", "hi")

    assert provider.hits == hits
    assert {file: file.read_bytes() for file in before} == before
    _ask(cassette, "extend", caller, provider.url, "ho")
    assert provider.hits == hits + 1
    assert intercept.validate(cassette) == []


@every_layout
def test_the_highest_number_itself_is_given(name: str, provider: Provider, tmp_path: Path) -> None:
    """Once."""
    cassette = tmp_path / name
    if not cassette.suffix:
        cassette.mkdir()
    record(cassette, provider.url, "hi")
    _numbered(cassette, HIGHEST_OCCURRENCE - 1)
    hits = provider.hits

    with pytest.raises(intercept.CassetteError, match="past the highest"):
        _ask(cassette, "extend", SYNC, provider.url, "hi", "hi", "hi")

    assert provider.hits == hits + 1
    assert intercept.validate(cassette) == []
    with intercept.use_cassette(cassette) as session:
        SYNC.run(asking("hi", "hi"), SYNC.client(provider.url))
    assert [played.live for played in session.calls] == [False, False]


@every_layout
@pytest.mark.parametrize("mode", ["record", "update"])
def test_adding_in_one_run_past_the_highest_number_is_refused_unsent(
    mode: str, name: str, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later recordings of a run go on from the numbers of the earlier ones; outside of it they begin anew."""
    cassette = tmp_path / name
    if not cassette.suffix:
        cassette.mkdir()
    with monkeypatch.context() as in_a_run:
        in_a_run.setattr(runs, "current", runs.Run(root=tmp_path))
        _ask(cassette, mode, SYNC, provider.url, "hi")
        before = _numbered(cassette, HIGHEST_OCCURRENCE)
        hits = provider.hits

        for _ in range(2):
            with pytest.raises(intercept.CassetteError, match="past the highest"):
                _ask(cassette, mode, SYNC, provider.url, "hi")

        assert provider.hits == hits
        assert {file: file.read_bytes() for file in before} == before
    assert [*tmp_path.rglob("*partial*")] == []

    _ask(cassette, mode, SYNC, provider.url, "hi")

    assert provider.hits == hits + 1
    assert intercept.validate(cassette) == []
