"""Recording over a cassette: it is replaced, and within one test run added to."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from tests.conftest import Canary
from tests.core.handmade import header
from tests.core.recording import OLD, names, questions, record, record_and_raise, replay

pytestmark = pytest.mark.usefixtures("no_run")


@pytest.mark.parametrize(
    "content",
    [b"", b" \n\n", header(), b"\xef\xbb\xbf" + OLD.replace(b"\n", b"\r\n"), OLD[:-5]],
    ids=["zero bytes", "blanks", "no rows", "BOM and CRLF", "torn"],
)
def test_an_empty_file_and_any_cassette_is_recorded_over(content: bytes, provider: Provider, old: Path) -> None:
    """Nothing of it is left, and nothing of its form."""
    old.write_bytes(content)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        record(old, provider.url, "hi")

    assert questions(old) == ["hi"]
    assert old.read_bytes().startswith(b'{"kind":"intercept-cassette","v":1,')
    assert b"\r" not in old.read_bytes()
    assert names(old.parent) == [old.name]


def test_a_clean_recording_replaces_all_rows(provider: Provider, cassette: Path) -> None:
    """What the code no longer asks is gone."""
    record(cassette, provider.url, "one", "two", "three")
    record(cassette, provider.url, "two")

    assert questions(cassette) == ["two"]


@pytest.fixture
def a_run(no_run: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Be inside of one test run."""
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))


@pytest.mark.usefixtures("a_run")
def test_within_a_run_later_recordings_add(provider: Provider, old: Path) -> None:
    """The first clean one replaces what was there; numbers go on, and the rows before stay to the byte."""
    record(old, provider.url, "a", "b")
    first = old.read_bytes()
    record(old, provider.url, "b", "c")

    rows = [json.loads(line) for line in old.read_bytes().splitlines()[1:]]
    assert old.read_bytes().startswith(first)
    assert questions(old) == ["a", "b", "b", "c"]
    assert [row["occurrence"] for row in rows] == [0, 0, 1, 0]


@pytest.mark.usefixtures("a_run")
@pytest.mark.parametrize(
    "tail",
    [b"", b"\n", b'{"adapter":"openai"', bytes(64)],
    ids=["whole", "blank", "torn", "NUL bytes"],
)
def test_within_a_run_a_torn_last_line_is_never_fused_with_what_is_added(
    tail: bytes, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """What is added can be read."""
    record(cassette, provider.url, "a")
    cassette.write_bytes(cassette.read_bytes().removesuffix(b"\n" * (not tail)) + tail)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        record(cassette, provider.url, "b")

    assert replay(cassette, canary.url, "a", "b") == ["Reply 1 to: a", "Reply 2 to: b"]


@pytest.mark.usefixtures("a_run")
def test_within_a_run_a_failed_recording_drops_only_its_own_rows(provider: Provider, old: Path) -> None:
    """And one that comes after it adds to those that were clean."""
    record(old, provider.url, "a")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            record_and_raise(old, provider.url, ValueError("no"))
        record(old, provider.url, "b")

    assert questions(old) == ["a", "b"]
