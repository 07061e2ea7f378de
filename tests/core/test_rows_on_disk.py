"""A row is on disk as soon as its exchange ends: in a partial file, which no crash and no later recording loses."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.cassette.lines import read
from intercept.loopback import Provider
from tests.conformance.callers import Caller, ask, each, said
from tests.conftest import Canary
from tests.core.programs import run
from tests.core.recording import every_caller, failed_file, names, partial_file, questions, record, replay

pytestmark = pytest.mark.usefixtures("no_run")


@every_caller
def test_a_row_is_on_disk_as_soon_as_its_exchange_ends(caller: Caller, provider: Provider, cassette: Path) -> None:
    """In a partial file that is a cassette itself; at the end it takes the cassette's place."""
    seen: list[list[str]] = []

    async def asked(client: Any) -> None:
        for text in ("one", "two", "three"):
            await ask(client, text)
            seen.append(questions(partial_file(cassette)))
            assert len(read(partial_file(cassette))) == len(seen)

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))
        assert not cassette.exists()

    assert seen == [["one"], ["one", "two"], ["one", "two", "three"]]
    assert questions(cassette) == seen[-1]
    assert names(cassette.parent) == [cassette.name]


@every_caller
def test_the_row_of_a_stream_is_on_disk_when_the_stream_has_ended(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """Not before: it is one row; and not later than its last event."""
    counts: list[int] = []

    async def asked(client: Any) -> None:
        stream = await ask(client, stream=True)
        counts.append(len(questions(partial_file(cassette))))
        await each(stream)
        counts.append(len(questions(partial_file(cassette))))

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))

    assert counts == [0, 1]


def test_a_partial_file_of_another_time_is_set_aside(provider: Provider, old: Path) -> None:
    """It may hold answers that were paid for; a warning says where it is now."""
    partial_file(old).write_bytes(b"left over")
    failed_file(old).write_bytes(b"left over before")

    with pytest.warns(intercept.InterceptWarning) as caught:
        record(old, provider.url, "hi")

    (warned,) = caught
    assert str(partial_file(old)) in str(warned.message)
    assert str(failed_file(old)) in str(warned.message)
    assert failed_file(old).read_bytes() == b"left over"
    assert questions(old) == ["hi"]
    assert names(old.parent) == sorted([old.name, failed_file(old).name])


@every_caller
def test_a_partial_file_of_another_time_costs_no_call_where_warnings_are_errors(
    caller: Caller, provider: Provider, old: Path
) -> None:
    """Test suites turn warnings into errors; that may fail the session, but not a call, and lose no row."""
    partial_file(old).write_bytes(b"left over")
    texts: list[str] = []

    async def asked(client: Any) -> None:
        texts.append(said(await ask(client, "one")))
        texts.append(said(await ask(client, "two")))

    with suppress(intercept.InterceptWarning), intercept.use_cassette(old, mode="record"):
        caller.run(asked, caller.client(provider.url, max_retries=0))

    assert texts == ["Reply 1 to: one", "Reply 2 to: two"]
    assert questions(old) == ["one", "two"]


_CRASHING = """
    import os, sys
    import intercept, openai

    with intercept.use_cassette(sys.argv[1], mode="record"):
        client = openai.OpenAI(api_key="none", base_url=sys.argv[2] + "/v1")
        for number in range(5):
            client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": f"hi {number}"}])
        os._exit(7)
"""


def test_a_crash_after_five_calls_keeps_five_rows(
    provider: Provider, canary: Canary, tmp_path: Path, cassette: Path
) -> None:
    """No handler runs, nothing is flushed: what ended is on disk, and replays."""
    texts = [f"hi {number}" for number in range(5)]

    ended = run(tmp_path, _CRASHING, str(cassette), provider.url)

    assert (ended.returncode, ended.stderr) == (7, "")
    assert not cassette.exists()
    assert questions(partial_file(cassette)) == texts
    assert replay(partial_file(cassette), canary.url, *texts) == [f"Reply {n + 1} to: hi {n}" for n in range(5)]
