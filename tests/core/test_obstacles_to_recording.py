"""What stands in a recording's way: another one at once, a full disk, a folder that cannot be made."""

from __future__ import annotations

import os
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.recording import (
    OLD,
    SYNC,
    asking,
    failed_file,
    names,
    partial_file,
    questions,
    record,
    record_and_raise,
)

pytestmark = pytest.mark.usefixtures("no_run")


@pytest.mark.parametrize("other", ["{}", "{parent}/../cassettes/test.jsonl"])
@pytest.mark.parametrize("in_thread", [False, True], ids=["nested", "in a thread"])
def test_two_recordings_of_one_cassette_at_once_are_refused(
    other: str, provider: Provider, cassette: Path, *, in_thread: bool
) -> None:
    """Neither could keep both; the first goes on unharmed, and once it is over others may come."""
    path = Path(other.format(cassette, parent=cassette.parent))
    errors: list[BaseException] = []

    def second() -> None:
        try:
            record(path, provider.url, "second")
        except intercept.CassetteError as error:
            errors.append(error)

    with intercept.use_cassette(cassette, mode="record"):
        SYNC.run(asking("one"), SYNC.client(provider.url))
        if in_thread:
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()
        else:
            second()
        SYNC.run(asking("two"), SYNC.client(provider.url))

    assert [str(cassette) in str(error) and "being recorded" in str(error) for error in errors] == [True]
    assert questions(cassette) == ["one", "two"]
    assert record(path, provider.url, "third") == ["Reply 3 to: third"]


def test_a_failed_recording_frees_its_cassette(provider: Provider, cassette: Path) -> None:
    """The next one may begin at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            record_and_raise(cassette, provider.url, ValueError("no"))
        record(cassette, provider.url, "again")

    assert questions(cassette) == ["again"]
    assert questions(failed_file(cassette)) == ["hi"]


def _failing(monkeypatch: pytest.MonkeyPatch, word: bytes) -> None:
    """Make the disk full when a row is written that holds this word: a part of it is taken."""
    write = os.writev

    def full(file: int, pieces: Any, /) -> int:
        content = b"".join(pieces)
        if word in content and b'"adapter"' in content[:12]:
            write(file, [content[:50]])
            raise OSError(28, "No space left on device")
        return write(file, pieces)

    monkeypatch.setattr(os, "writev", full)


def test_a_row_that_cannot_be_written_fails_the_session_and_not_the_call(
    provider: Provider, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer was paid for. The cassette stays, as an incomplete one would replay wrongly; the rest can be read."""
    _failing(monkeypatch, b"Reply 2")
    texts: list[str] = []

    def ran() -> None:
        with intercept.use_cassette(old, mode="record"):
            texts.extend(SYNC.run(asking("one", "two", "three"), SYNC.client(provider.url)))

    with pytest.raises(intercept.NotVerified, match="No space left on device"):
        ran()

    assert texts == ["Reply 1 to: one", "Reply 2 to: two", "Reply 3 to: three"]
    assert old.read_bytes() == OLD
    assert questions(partial_file(old)) == ["one", "three"]


def test_a_cassette_that_cannot_be_put_in_place_stays_as_it_was(
    provider: Provider, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names both files; the recording is in the partial one."""

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(intercept.CassetteError, match="Read-only file system") as caught:
        record(old, provider.url, "hi")

    assert caught.value.where == str(old)
    assert str(partial_file(old)) in str(caught.value)
    assert old.read_bytes() == OLD
    assert names(old.parent) == [old.name, partial_file(old).name]
    assert questions(partial_file(old)) == ["hi"]


def test_a_folder_that_cannot_be_made_costs_no_call(provider: Provider, tmp_path: Path) -> None:
    """The session fails at its end, once; a strict one before anything is sent, and paid for."""
    (tmp_path / "file").write_bytes(b"")
    nowhere = tmp_path / "file" / "x.jsonl"
    texts: list[str] = []

    def ran() -> None:
        with intercept.use_cassette(nowhere, mode="record"):
            texts.extend(SYNC.run(asking("one", "two"), SYNC.client(provider.url)))

    with pytest.raises(intercept.NotVerified, match="could not be written") as caught:
        ran()
    with pytest.raises(intercept.CassetteError, match=r"file.*could not be written"):
        record(nowhere, provider.url, "three", strict=True)

    assert texts == ["Reply 1 to: one", "Reply 2 to: two"]
    assert len(caught.value.failures) == 2
    assert "POST /chat/completions" in str(caught.value)
    assert provider.hits == 2
