"""The mode `update`: what is asked is recorded anew, what is not asked stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask
from tests.conftest import Canary
from tests.core.either_layout import everything, exchanges, fail, partial_of, play, rows_of, texts_of
from tests.core.handmade import header
from tests.core.recording import SYNC, asking, every_caller

pytestmark = pytest.mark.usefixtures("a_program")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("a", ["a0 5", "b0 2", "c0 4"]),
        ("aa", ["a0 5", "b0 2", "a1 6", "c0 4"]),
        ("aaa", ["a0 5", "b0 2", "a1 6", "c0 4", "a2 7"]),
        ("dcb", ["a0 1", "b0 7", "a1 3", "c0 6", "d0 5"]),
        ("caad", ["a0 6", "b0 2", "a1 7", "c0 5", "d0 8"]),
        ("d", ["a0 1", "b0 2", "a1 3", "c0 4", "d0 5"]),
    ],
)
def test_all_rows_of_what_is_asked_are_replaced_and_others_stay(
    asked: str, expected: list[str], provider: Provider, canary: Canary, named: str
) -> None:
    """Fewer, as many or more than before; each new row stands where an old one of its request stood."""
    play(named, "record", provider.url, *"abac")
    before = texts_of(named)

    answers = play(named, "update", provider.url, *asked)

    found = [f"{text}{number} {answer.split()[1]}" for text, number, answer in exchanges(named)]
    assert found == (expected if named.endswith(".jsonl") else sorted(expected))
    kept = [
        f'"Reply {number} to: {text}"'.encode()
        for text, number in zip("abac", "1234", strict=True)
        if text not in asked
    ]
    assert [text for text in texts_of(named) if text in before] == [
        text for text in before if any(answer in text for answer in kept)
    ]
    assert play(named, "replay", canary.url, *asked) == answers


@every_caller
def test_each_sdk_and_way_updates_its_own_rows(caller: Caller, provider: Provider, canary: Canary, named: str) -> None:
    """The other SDK's stay: here both have two rows of one question."""
    for other in CALLERS[::2]:
        play(named, "update", provider.url, "hi", "hi", caller=other)
    provider.reset()
    answers = play(named, "update", provider.url, "hi", caller=caller)

    assert answers == ["Reply 1 to: hi"]
    assert [row["adapter"] for row in rows_of(named)].count(caller.sdk) == 1
    assert len(rows_of(named)) == 3
    assert play(named, "replay", canary.url, "hi", caller=caller) == answers


@pytest.mark.parametrize(
    ("ours", "odd"),
    [
        (b"", b""),
        (b"\n", b"\r\n"),
        (b'"status":', b'  "x":{"y" : [1e5, "\\u00e9"]},"status" : \t'),
        (b'{"adapter"', b'\n \n{"adapter"'),
    ],
    ids=["as it is", "CRLF", "spaces and a field", "blank lines before it"],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no BOM", "BOM"])
def test_a_row_that_stays_is_not_touched_by_a_byte(
    ours: bytes, odd: bytes, mark: bytes, *, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """Not its line end, its spaces, or fields that nobody knows; the file is its own form's otherwise."""
    play(cassette, "record", provider.url, "a", "b")
    first, a, b = cassette.read_bytes().splitlines(keepends=True)
    b = b.replace(ours, odd) if ours else b
    cassette.write_bytes(mark + first + b + a)

    provider.reset()
    play(cassette, "update", provider.url, "a")

    _, kept, new = cassette.read_bytes().splitlines(keepends=True)
    assert kept == b.removeprefix(b"\n \n")
    assert new == a
    assert play(cassette, "replay", canary.url, "a", "b") == ["Reply 1 to: a", "Reply 2 to: b"]


def test_the_header_stays_but_for_the_versions_of_sdks(provider: Provider, cassette: Path) -> None:
    """What it says beside, and of SDKs that are not here, is kept."""
    cassette.parent.mkdir()
    cassette.write_bytes(header(sdks={"openai": "0.1", "another": "1"}, note="ours", redaction="x"))

    play(cassette, "update", provider.url, "a")

    told = json.loads(cassette.read_bytes().splitlines()[0])
    assert told.pop("sdks") == {"openai": openai.__version__, "anthropic": anthropic.__version__, "another": "1"}
    assert told == {"kind": "intercept-cassette", "v": 1, "hash_version": 1, "redaction": "x", "note": "ours"}


@pytest.mark.parametrize("content", [None, b"", header(), b"\xef\xbb\xbf \n"], ids=["none", "empty", "header", "blank"])
def test_where_there_is_nothing_a_cassette_is_made(
    content: bytes | None, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """No file, an empty one, or one without rows."""
    if content is not None:
        cassette.parent.mkdir()
        cassette.write_bytes(content)

    play(cassette, "update", provider.url, "a")

    assert play(cassette, "replay", canary.url, "a") == ["Reply 1 to: a"]
    assert list(everything(cassette)) == [cassette.name]


def test_a_torn_last_line_is_left_out_with_a_warning(provider: Provider, canary: Canary, cassette: Path) -> None:
    """And what stood before it stays."""
    play(cassette, "record", provider.url, "a", "b")
    cassette.write_bytes(cassette.read_bytes()[:-9])

    with pytest.warns(intercept.InterceptWarning, match="cut off"):
        play(cassette, "update", provider.url, "c")

    assert exchanges(cassette) == [("a", 0, "Reply 1 to: a"), ("c", 0, "Reply 3 to: c")]
    assert play(cassette, "replay", canary.url, "a", "c") == ["Reply 1 to: a", "Reply 3 to: c"]


def test_what_nobody_answered_stays(provider: Provider, named: str) -> None:
    """A connection that breaks replaces nothing, unless it is asked again and answered."""
    play(named, "record", provider.url, "a", "b", "c")
    provider.answer(Answer(cut_after=-1), Answer(cut_after=-1))

    async def asked(client: Any) -> None:
        with pytest.raises(Exception, match=r"(?i)connection"):
            await ask(client, "a")
        with pytest.raises(Exception, match=r"(?i)connection"):
            await ask(client, "b")
        await ask(client, "b")

    with intercept.use_cassette(named, mode="update"):
        SYNC.run(asked, SYNC.client(provider.url, max_retries=0))

    assert sorted(exchanges(named)) == [("a", 0, "Reply 1 to: a"), ("b", 1, "Reply 6 to: b"), ("c", 0, "Reply 3 to: c")]


def test_a_failing_body_leaves_the_cassette_and_what_was_recorded_beside_it(
    provider: Provider, canary: Canary, named: str
) -> None:
    """The partial file is a cassette itself, and can be replayed."""
    play(named, "record", provider.url, "a", "b")
    before = everything(named)

    fail(named, "update", provider.url)

    partial = partial_of(named)
    assert everything(named) == {**before, str(partial.relative_to(Path(named).parent)): partial.read_bytes()}
    assert play(partial, "replay", canary.url, "a") == ["Reply 3 to: a"]


def test_an_update_without_a_call_warns_and_changes_nothing(provider: Provider, named: str) -> None:
    """Not even the versions of SDKs."""
    play(named, "record", provider.url, "a", "b")
    before = everything(named)

    with pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"):
        play(named, "update", provider.url)

    assert everything(named) == before


@pytest.mark.parametrize("other", ["record", "update", "extend"])
def test_nobody_else_records_meanwhile(other: str, provider: Provider, canary: Canary, named: str) -> None:
    """The second is refused; a replay goes on as before."""
    play(named, "record", provider.url, "a")

    with intercept.use_cassette(named, mode="update"):
        SYNC.run(asking("a"), SYNC.client(provider.url))
        with pytest.raises(intercept.CassetteError, match="being recorded"):
            play(named, other, provider.url, "a")
        assert play(named, "replay", canary.url, "a") == ["Reply 1 to: a"]

    assert exchanges(named) == [("a", 0, "Reply 2 to: a")]
