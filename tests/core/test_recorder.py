"""Recording: on disk at once, in place at a clean end, and never at the cost of what was there."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import runs
from intercept.cassette.reading import read
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, Scenario, ask, each, said, settled
from tests.conftest import Canary
from tests.core.handmade import header, three_rows
from tests.core.programs import run

SYNC = CALLERS[0]
OLD = three_rows()
every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and links")


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every recording replaces the cassette, as it does outside of a test run."""
    monkeypatch.setattr(runs, "current", None)


@pytest.fixture
def old(cassette: Path) -> Path:
    """A cassette that exists already."""
    cassette.parent.mkdir()
    cassette.write_bytes(OLD)
    return cassette


def _asking(*texts: str) -> Scenario:
    async def asked(client: Any) -> list[str]:
        return [said(await ask(client, text)) for text in texts]

    return asked


def _record(path: Path, url: str, *texts: str, caller: Caller = SYNC, **settings: Any) -> list[str]:
    with intercept.use_cassette(path, mode="record", **settings):
        said: list[str] = caller.run(_asking(*texts), caller.client(url))
    return said


def _record_and_raise(path: Path, url: str, error: BaseException, **settings: Any) -> None:
    with intercept.use_cassette(path, mode="record", **settings):
        SYNC.run(_asking("hi"), SYNC.client(url))
        raise error


def _replay(path: Path, url: str, *texts: str, caller: Caller = SYNC) -> list[str]:
    with intercept.use_cassette(path):
        said: list[str] = caller.run(_asking(*texts), caller.client(url))
    return said


def _partial(path: Path) -> Path:
    return path.with_name(f"{path.stem}.partial.jsonl")


def _failed(path: Path) -> Path:
    return path.with_name(f"{path.stem}.failed.jsonl")


def _questions(path: Path) -> list[str]:
    """Return what was asked in each row, in the order of the file; every line must be whole."""
    _, *rows = path.read_bytes().splitlines(keepends=True)
    assert all(row.endswith(b"\n") for row in rows)
    return [json.loads(row)["request"]["body"]["messages"][0]["content"] for row in rows]


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@every_caller
def test_a_row_is_on_disk_as_soon_as_its_exchange_ends(caller: Caller, provider: Provider, cassette: Path) -> None:
    """In a partial file that is a cassette itself; at the end it takes the cassette's place."""
    seen: list[list[str]] = []

    async def asked(client: Any) -> None:
        for text in ("one", "two", "three"):
            await ask(client, text)
            seen.append(_questions(_partial(cassette)))
            assert len(read(_partial(cassette))) == len(seen)

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))
        assert not cassette.exists()

    assert seen == [["one"], ["one", "two"], ["one", "two", "three"]]
    assert _questions(cassette) == seen[-1]
    assert _names(cassette.parent) == [cassette.name]


@every_caller
def test_the_row_of_a_stream_is_on_disk_when_the_stream_has_ended(
    caller: Caller, provider: Provider, cassette: Path
) -> None:
    """Not before: it is one row; and not later than its last event."""
    counts: list[int] = []

    async def asked(client: Any) -> None:
        stream = await ask(client, stream=True)
        counts.append(len(_questions(_partial(cassette))))
        await each(stream)
        counts.append(len(_questions(_partial(cassette))))

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))

    assert counts == [0, 1]


_FAILURES: list[BaseException] = [
    ValueError("no"),
    AssertionError(),
    KeyboardInterrupt(),
    asyncio.CancelledError(),
    SystemExit(1),
    SystemExit("no"),
    SystemExit(-1),
]
_ENDS: list[BaseException] = [SystemExit(), SystemExit(0), SystemExit(None), GeneratorExit()]


@pytest.mark.parametrize("error", _FAILURES, ids=repr)
def test_a_failing_body_leaves_the_cassette_as_it_was(error: BaseException, provider: Provider, old: Path) -> None:
    """What was recorded lies beside it, and can be replayed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(type(error)) as caught:
            _record_and_raise(old, provider.url, error)

    assert caught.value is error
    assert old.read_bytes() == OLD
    assert _names(old.parent) == [old.name, _partial(old).name]
    assert _replay(_partial(old), provider.url, "hi") == ["Reply 1 to: hi"]
    assert provider.hits == 1


@pytest.mark.parametrize("error", _ENDS, ids=repr)
def test_an_exit_without_failure_is_a_clean_end(error: BaseException, provider: Provider, old: Path) -> None:
    """A program may end itself; a generator may be closed."""
    with pytest.raises(type(error)):
        _record_and_raise(old, provider.url, error)

    assert _questions(old) == ["hi"]
    assert _names(old.parent) == [old.name]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(1), SystemExit(0)], ids=repr)
def test_a_recording_may_be_kept_whatever_ends_it(error: BaseException, provider: Provider, old: Path) -> None:
    """With `keep_on_error`."""
    with pytest.raises(type(error)):
        _record_and_raise(old, provider.url, error, keep_on_error=True)

    assert _questions(old) == ["hi"]
    assert _names(old.parent) == [old.name]


@pytest.mark.parametrize("existed", [False, True])
def test_the_error_says_where_the_recording_is(provider: Provider, cassette: Path, *, existed: bool) -> None:
    """In a note; before Python 3.11 there are none, so it is a warning there."""
    if existed:
        cassette.parent.mkdir()
        cassette.write_bytes(OLD)
    error = ValueError("no")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="no"):
            _record_and_raise(cassette, provider.url, error)

    texts: list[str] = [*getattr(error, "__notes__", []), *(str(warning.message) for warning in caught)]
    assert len(texts) == 1
    assert str(cassette) in texts[0]
    assert str(_partial(cassette)) in texts[0]
    assert bool(caught) == (sys.version_info < (3, 11))


def test_a_failing_body_without_a_call_leaves_nothing(provider: Provider, old: Path) -> None:
    """There is nothing to say either."""
    error = ValueError("no")

    def ran() -> None:
        with intercept.use_cassette(old, mode="record"):
            raise error

    with pytest.raises(ValueError, match="no"):
        ran()

    assert getattr(error, "__notes__", []) == []
    assert old.read_bytes() == OLD
    assert _names(old.parent) == [old.name]


@pytest.mark.parametrize("existed", [False, True])
def test_a_recording_without_a_call_warns_and_leaves_the_file_alone(cassette: Path, *, existed: bool) -> None:
    """An empty cassette in its place would lose it; not even a folder is made."""
    if existed:
        cassette.parent.mkdir()
        cassette.write_bytes(OLD)

    with (
        pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"),
        intercept.use_cassette(cassette, mode="record"),
    ):
        pass

    assert (cassette.read_bytes() if existed else None) == (OLD if existed else None)
    assert cassette.parent.exists() == existed
    assert not existed or _names(cassette.parent) == [cassette.name]


@every_caller
def test_calls_that_nobody_answers_leave_the_file_alone(caller: Caller, provider: Provider, old: Path) -> None:
    """The connection drops before an answer: no row, so there is nothing to take the cassette's place."""
    provider.answer(Answer(cut_after=-1))

    async def asked(client: Any) -> None:
        with pytest.raises(Exception, match=r"(?i)connection"):
            await ask(client)

    with intercept.use_cassette(old, mode="record"):
        caller.run(asked, caller.client(provider.url, max_retries=0))

    assert old.read_bytes() == OLD
    assert _names(old.parent) == [old.name]


def test_a_partial_file_of_another_time_is_set_aside(provider: Provider, old: Path) -> None:
    """It may hold answers that were paid for; a warning says where it is now."""
    _partial(old).write_bytes(b"left over")
    _failed(old).write_bytes(b"left over before")

    with pytest.warns(intercept.InterceptWarning) as caught:
        _record(old, provider.url, "hi")

    (warned,) = caught
    assert str(_partial(old)) in str(warned.message)
    assert str(_failed(old)) in str(warned.message)
    assert _failed(old).read_bytes() == b"left over"
    assert _questions(old) == ["hi"]
    assert _names(old.parent) == sorted([old.name, _failed(old).name])


@every_caller
def test_a_partial_file_of_another_time_costs_no_call_where_warnings_are_errors(
    caller: Caller, provider: Provider, old: Path
) -> None:
    """Test suites turn warnings into errors; that may fail the session, but not a call, and lose no row."""
    _partial(old).write_bytes(b"left over")
    texts: list[str] = []

    async def asked(client: Any) -> None:
        texts.append(said(await ask(client, "one")))
        texts.append(said(await ask(client, "two")))

    with suppress(intercept.InterceptWarning), intercept.use_cassette(old, mode="record"):
        caller.run(asked, caller.client(provider.url, max_retries=0))

    assert texts == ["Reply 1 to: one", "Reply 2 to: two"]
    assert _questions(old) == ["one", "two"]


@posix
def test_new_files_and_folders_are_for_their_owner_alone(provider: Provider, tmp_path: Path) -> None:
    """Prompts and answers are nobody else's, on a shared machine; every folder that had to be made."""
    path = tmp_path / "a" / "b" / "c" / "x.jsonl"
    before = os.umask(0)
    modes: list[int] = []

    try:
        with intercept.use_cassette(path, mode="record"):
            SYNC.run(_asking("hi"), SYNC.client(provider.url))
            modes.append(stat.S_IMODE(_partial(path).stat().st_mode))
    finally:
        os.umask(before)

    modes += [stat.S_IMODE(made.stat().st_mode) for made in (path, *list(path.parents)[:3])]
    assert [oct(mode) for mode in modes] == ["0o600", "0o600", "0o700", "0o700", "0o700"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o400])
def test_an_existing_file_and_folder_keep_their_mode(mode: int, provider: Provider, old: Path) -> None:
    """Whoever could read it before can read it still."""
    old.parent.chmod(0o755)
    old.chmod(mode)

    _record(old, provider.url, "hi")

    assert _questions(old) == ["hi"]
    assert oct(stat.S_IMODE(old.stat().st_mode)) == oct(mode)
    assert oct(stat.S_IMODE(old.parent.stat().st_mode)) == "0o755"


@posix
@pytest.mark.parametrize("dangling", [False, True])
@pytest.mark.parametrize("name", ["test.partial.jsonl", ".test.jsonl.PID.new", "test.failed.jsonl"])
def test_a_planted_link_is_not_written_through(
    name: str, provider: Provider, tmp_path: Path, old: Path, *, dangling: bool
) -> None:
    """Whoever may write to the folder must not make us write elsewhere."""
    victim = tmp_path / "victim"
    if not dangling:
        victim.write_bytes(b"precious")
    (old.parent / name.replace("PID", str(os.getpid()))).symlink_to(victim)
    if name.endswith("failed.jsonl"):
        _partial(old).write_bytes(b"left over")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        _record(old, provider.url, "hi")

    assert (victim.read_bytes() if victim.exists() else None) == (None if dangling else b"precious")
    assert _questions(old) == ["hi"]
    assert not old.is_symlink()


@posix
def test_a_cassette_that_is_a_link_is_recorded(provider: Provider, old: Path) -> None:
    """Under the name by which it was asked for the new recording is found."""
    link = old.with_name("link.jsonl")
    link.symlink_to(old.name)

    _record(link, provider.url, "hi")

    assert _replay(link, provider.url, "hi") == ["Reply 1 to: hi"]
    assert len(read(old)) > 0


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
            _record(path, provider.url, "second")
        except intercept.CassetteError as error:
            errors.append(error)

    with intercept.use_cassette(cassette, mode="record"):
        SYNC.run(_asking("one"), SYNC.client(provider.url))
        if in_thread:
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()
        else:
            second()
        SYNC.run(_asking("two"), SYNC.client(provider.url))

    assert [str(cassette) in str(error) and "being recorded" in str(error) for error in errors] == [True]
    assert _questions(cassette) == ["one", "two"]
    assert _record(path, provider.url, "third") == ["Reply 3 to: third"]


def test_a_failed_recording_frees_its_cassette(provider: Provider, cassette: Path) -> None:
    """The next one may begin at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            _record_and_raise(cassette, provider.url, ValueError("no"))
        _record(cassette, provider.url, "again")

    assert _questions(cassette) == ["again"]
    assert _questions(_failed(cassette)) == ["hi"]


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_rows_are_in_the_order_of_the_calls(sdk: str, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Answered in reverse they are written in reverse, and sorted at the end: the same code gives the same file."""
    caller = next(caller for caller in CALLERS if caller.is_async and caller.sdk == sdk)
    texts = [f"question {number}" for number in range(6)]
    partial: list[str] = []

    async def asked(client: Any) -> list[str]:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number, text in enumerate(texts):
                tasks.append(asyncio.ensure_future(ask(client, text)))
                await asyncio.to_thread(held.wait, number + 1)
            for one, task in zip(reversed(held), reversed(tasks), strict=True):
                one.release()
                await task
        partial.extend(_questions(_partial(cassette)))
        return [said(task.result()) for task in tasks]

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(asked, caller.client(provider.url))

    assert partial == texts[::-1]
    assert _questions(cassette) == texts
    assert _replay(cassette, canary.url, *texts, caller=caller) == recorded


def test_equal_requests_are_numbered_in_the_order_of_the_calls(provider: Provider, cassette: Path) -> None:
    """Whichever is answered first."""
    caller = CALLERS[1]

    async def asked(client: Any) -> None:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number in range(3):
                tasks.append(asyncio.ensure_future(ask(client, "same")))
                await asyncio.to_thread(held.wait, number + 1)
            for one, task in zip(reversed(held), reversed(tasks), strict=True):
                one.release()
                await task

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked, caller.client(provider.url))

    rows = [json.loads(line) for line in cassette.read_bytes().splitlines()[1:]]
    answers = [row["events"][0]["json"]["choices"][0]["message"]["content"] for row in rows]
    assert [row["occurrence"] for row in rows] == [0, 1, 2]
    assert answers == ["Reply 1 to: same", "Reply 2 to: same", "Reply 3 to: same"]


async def _everything(client: Any) -> None:
    await ask(client, "plain")
    await each(await ask(client, "streamed", stream=True))
    await ask(client, "plain")
    await settled(client.models.list())


@every_caller
def test_recording_the_same_again_gives_the_same_bytes(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Against a provider that answers the same: no time, no random name, no order of a set gets into the file."""
    contents: list[bytes] = []
    for _ in range(2):
        provider.reset()
        with intercept.use_cassette(cassette, mode="record"):
            caller.run(_everything, caller.client(provider.url))
        contents.append(cassette.read_bytes())

    assert contents[0] == contents[1]
    assert contents[0].count(b"\n") == 5


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
        _record(old, provider.url, "hi")

    assert _questions(old) == ["hi"]
    assert old.read_bytes().startswith(b'{"kind":"intercept-cassette","v":1,')
    assert b"\r" not in old.read_bytes()
    assert _names(old.parent) == [old.name]


def test_a_clean_recording_replaces_all_rows(provider: Provider, cassette: Path) -> None:
    """What the code no longer asks is gone."""
    _record(cassette, provider.url, "one", "two", "three")
    _record(cassette, provider.url, "two")

    assert _questions(cassette) == ["two"]


@pytest.fixture
def a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Be inside of one test run."""
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))


@pytest.mark.usefixtures("a_run")
def test_within_a_run_later_recordings_add(provider: Provider, old: Path) -> None:
    """The first clean one replaces what was there; numbers go on, and the rows before stay to the byte."""
    _record(old, provider.url, "a", "b")
    first = old.read_bytes()
    _record(old, provider.url, "b", "c")

    rows = [json.loads(line) for line in old.read_bytes().splitlines()[1:]]
    assert old.read_bytes().startswith(first)
    assert _questions(old) == ["a", "b", "b", "c"]
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
    _record(cassette, provider.url, "a")
    cassette.write_bytes(cassette.read_bytes().removesuffix(b"\n" * (not tail)) + tail)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        _record(cassette, provider.url, "b")

    assert _replay(cassette, canary.url, "a", "b") == ["Reply 1 to: a", "Reply 2 to: b"]


@pytest.mark.usefixtures("a_run")
def test_within_a_run_a_failed_recording_drops_only_its_own_rows(provider: Provider, old: Path) -> None:
    """And one that comes after it adds to those that were clean."""
    _record(old, provider.url, "a")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(ValueError, match="no"):
            _record_and_raise(old, provider.url, ValueError("no"))
        _record(old, provider.url, "b")

    assert _questions(old) == ["a", "b"]


def _failing(monkeypatch: pytest.MonkeyPatch, word: bytes) -> None:
    """Make the disk full when a row is written that holds this word: a part of it is taken."""
    write = os.write

    def full(file: int, content: Any, /) -> int:
        if word in bytes(content) and b'"adapter"' in bytes(content)[:12]:
            write(file, bytes(content)[:50])
            raise OSError(28, "No space left on device")
        return write(file, content)

    monkeypatch.setattr(os, "write", full)


def test_a_row_that_cannot_be_written_fails_the_session_and_not_the_call(
    provider: Provider, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer was paid for. The cassette stays, as an incomplete one would replay wrongly; the rest can be read."""
    _failing(monkeypatch, b"Reply 2")
    texts: list[str] = []

    def ran() -> None:
        with intercept.use_cassette(old, mode="record"):
            texts.extend(SYNC.run(_asking("one", "two", "three"), SYNC.client(provider.url)))

    with pytest.raises(intercept.NotVerified, match="No space left on device"):
        ran()

    assert texts == ["Reply 1 to: one", "Reply 2 to: two", "Reply 3 to: three"]
    assert old.read_bytes() == OLD
    assert _questions(_partial(old)) == ["one", "three"]


def test_a_cassette_that_cannot_be_put_in_place_stays_as_it_was(
    provider: Provider, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names both files; the recording is in the partial one."""

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(intercept.CassetteError, match="Read-only file system") as caught:
        _record(old, provider.url, "hi")

    assert caught.value.where == str(old)
    assert str(_partial(old)) in str(caught.value)
    assert old.read_bytes() == OLD
    assert _names(old.parent) == [old.name, _partial(old).name]
    assert _questions(_partial(old)) == ["hi"]


def test_a_folder_that_cannot_be_made_is_told_at_the_call(provider: Provider, tmp_path: Path) -> None:
    """Before anything is sent, and paid for."""
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(intercept.CassetteError, match="file"):
        _record(tmp_path / "file" / "x.jsonl", provider.url, "hi")

    assert provider.hits == 0


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
    assert _questions(_partial(cassette)) == texts
    assert _replay(_partial(cassette), canary.url, *texts) == [f"Reply {n + 1} to: hi {n}" for n in range(5)]


_EVENTS: list[tuple[str, dict[str, Any]]] = [
    (
        "message_start",
        {
            "type": "message_start",
            "message": {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "claude-test",
                "content": [],
                "stop_reason": None,
                "usage": {"input_tokens": 7, "output_tokens": 1},
            },
        },
    ),
    ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 12}}),
    ("message_stop", {"type": "message_stop"}),
]


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _padded(name: str, data: object) -> str:
    return f"event: {name}\ndata: {_compact(data)[:-1]}      }}\n\n"


_FRAMES: dict[str, Callable[[str, object], str]] = {
    "compact": lambda name, data: f"event: {name}\ndata: {_compact(data)}\n\n",
    "spaced": lambda name, data: f"event: {name}\ndata: {json.dumps(data)}\n\n",
    "padded, as Anthropic does": _padded,
    "CRLF": lambda name, data: f"event: {name}\r\ndata: {_compact(data)}\r\n\r\n",
    "CR": lambda name, data: f"event: {name}\rdata: {_compact(data)}\r\r",
    "no blank after the colon": lambda name, data: f"event:{name}\ndata:{_compact(data)}\n\n",
    "an id": lambda name, data: f"id: 1\nevent: {name}\ndata: {_compact(data)}\n\n",
    "two lines of data": lambda name, data: f"event: {name}\ndata: {_compact(data)[:-1]}\ndata: }}\n\n",
}


@pytest.mark.parametrize("frame", _FRAMES.values(), ids=_FRAMES.keys())
def test_end_and_usage_of_a_stream_are_read_however_it_is_written(
    frame: Callable[[str, object], str], provider: Provider, cassette: Path
) -> None:
    """They are told by the provider's events, not by the form in which we can store them."""
    caller = next(caller for caller in CALLERS if caller.sdk == "anthropic" and not caller.is_async)
    chunks = tuple(frame(name, data).encode() for name, data in _EVENTS)
    provider.answer(Answer(content_type="text/event-stream", chunks=chunks))

    async def asked(client: Any) -> int:
        return len(await each(await ask(client, stream=True)))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(asked, caller.client(provider.url))
    with intercept.use_cassette(cassette) as session:
        replayed = caller.run(asked, caller.client(provider.url))

    row = json.loads(cassette.read_bytes().splitlines()[1])
    usage = {"input": 7, "cache_read": 0, "cache_write": 0, "output": 12, "reasoning": 0}
    assert (recorded, replayed) == (3, 3)
    assert (row["end"], row["usage"], row["usage_semantics"]) == ("complete", usage, "anthropic-cache-additive-v1")
    assert session.usage == intercept.Usage(input=7, output=12)
