"""What cannot be adopted is refused by an error that says why, and nothing is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from intercept.rescue import rescue
from tests.core.either_layout import everything, failed_of, partial_of, play
from tests.core.handmade import header
from tests.core.recording import SYNC, asking
from tests.core.test_adopting import leave

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("a_program")]


def refused(path: str | Path, reason: str | None = None) -> None:
    """Try to adopt; it must be refused for this reason, and leave every file as it is."""
    before = everything(path)
    with pytest.raises(intercept.CassetteError, match=reason):
        rescue(Path(path))
    assert everything(path) == before


def test_nothing_there(named: str) -> None:
    """Neither a cassette nor anything beside it."""
    Path(named).parent.mkdir()

    refused(named, "there is no such file")


def test_a_cassette_itself(provider: Provider, named: str) -> None:
    """Its recording ended well."""
    play(named, "record", provider.url, "a")

    refused(named, "no recording was left behind")


def test_a_cassette_that_is_being_recorded(provider: Provider, named: str) -> None:
    """Its rows are not left behind: whoever records them goes on, and ends well."""
    with intercept.use_cassette(named, mode="record"):
        SYNC.run(asking("a"), SYNC.client(provider.url))
        refused(named, "being recorded already, by process")
        refused(partial_of(named), "being recorded already, by process")
        SYNC.run(asking("b"), SYNC.client(provider.url))

    assert len(everything(named)) == (2 if named.endswith("/") else 1)
    assert not partial_of(named).exists()


def test_what_lies_beside_something_that_is_no_cassette(provider: Provider, named: str) -> None:
    """A file of somebody's own is not overwritten."""
    leave(named, "record", provider.url, asking("a"))
    if named.endswith("/"):
        Path(named, "notes.txt").write_text("mine", encoding="utf-8")
    else:
        Path(named).write_text("mine", encoding="utf-8")

    refused(named, "does not overwrite it")
    assert partial_of(named).exists()


@pytest.mark.parametrize("word", ["partial", "failed"])
@pytest.mark.parametrize(
    "content",
    [b"", b"no cassette\n", header(mode="record", cassette="x") + b"{}\n", header(mode="record", cassette="x")[:-9]],
    ids=["empty", "text", "a row without fields", "half a header"],
)
def test_what_cannot_be_read(content: bytes, word: str, named: str) -> None:
    """Whoever wrote it, it stays where it is."""
    left = (partial_of if word == "partial" else failed_of)(named)
    left.parent.mkdir(parents=True)
    left.write_bytes(content)

    refused(named, str(left.name))
    refused(left, str(left.name))


@pytest.mark.parametrize("named", ["../escaped.jsonl", "/tmp/escaped.jsonl", "a/b.jsonl", "..", ".", "a\0b", "x" * 300])  # noqa: S108
def test_a_file_that_names_a_cassette_elsewhere(named: str, provider: Provider, cassette: Path) -> None:
    """Somebody else may have written it; a recording lies beside its cassette."""
    left = leave(str(cassette), "record", provider.url, asking("a"))
    first, *rows = left.read_bytes().splitlines(keepends=True)
    elsewhere = left.with_name("elsewhere.jsonl")
    elsewhere.write_bytes(json.dumps({**json.loads(first), "cassette": named}).encode() + b"\n" + b"".join(rows))
    left.unlink()

    refused(elsewhere)
    assert not (cassette.parent.parent / "escaped.jsonl").exists()


@pytest.mark.parametrize("again", [False, True], ids=["new", "over an old one"])
def test_what_somebody_has_moved_to_its_place_already(provider: Provider, cassette: Path, *, again: bool) -> None:
    """By `mv`: it replays as it is, and is not lost."""
    if again:
        play(cassette, "record", provider.url, "before")
    leave(str(cassette), "record", provider.url, asking("a")).rename(cassette)

    refused(cassette, "in its place already")
    play(cassette, "replay", provider.url, "a")
