"""A cassette that is a folder: a file for each row, which says all that a line and a header say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conformance.outcomes import seen
from tests.conftest import Canary
from tests.core.either_layout import everything, exchanges, fail, failed_of, partial_of, play, rows_of, texts_of
from tests.core.recording import SYNC, every_caller, names

pytestmark = pytest.mark.usefixtures("a_program")

_FIELDS = [
    *("v", "hash_version", "sdks", "redaction", "adapter", "provider", "operation", "model", "occurrence"),
    *("request_hash", "request", "status", "headers", "events", "end", "usage", "usage_semantics", "caps"),
]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Where a folder of rows may be made."""
    return f"{tmp_path}/cassettes/test/"


async def _everything(client: Any) -> list[Any]:
    """Ask plainly, for a stream, for a list, for an upload and for bytes where the SDK has them, and for an error."""
    found = [await ask(client), await ask(client), await each(await ask(client, stream=True))]
    found.append(await each(await settled(client.models.list())))
    if hasattr(client, "audio"):
        file = ("a.txt", b"text\0" * 9, "text/plain")
        found.append(await settled(client.files.create(file=file, purpose="assistants")))
        speech = await settled(client.audio.speech.create(model="tts-1", voice="alloy", input="hi"))
        found.append(await settled(speech.read()))
    try:
        await settled(client.models.retrieve("no-such-model"))
    except Exception as error:  # noqa: BLE001  it is what is looked at
        found.append(error)
    return [seen(one) for one in found]


@every_caller
def test_the_rows_are_those_of_the_other_layout(
    caller: Caller, provider: Provider, canary: Canary, folder: str, cassette: Path
) -> None:
    """Field by field; and the replays cannot be told apart."""
    recorded: list[Any] = []
    for place in (cassette, folder):
        provider.reset()
        with intercept.use_cassette(place, mode="record"):
            recorded.append(caller.run(_everything, caller.client(provider.url)))
    replayed: list[Any] = []
    for place in (cassette, folder):
        with intercept.use_cassette(place):
            replayed.append(caller.run(_everything, caller.client(canary.url, key=None)))

    header = json.loads(cassette.read_bytes().splitlines()[0])
    del header["kind"]
    whole = [{**header, **row} for row in rows_of(cassette)]
    whole = [{**row, "sdks": {caller.sdk: header["sdks"][caller.sdk]}} for row in whole]
    assert sorted(rows_of(folder), key=_key) == sorted(whole, key=_key)
    assert replayed == recorded
    assert recorded[0] == recorded[1]


def _key(row: dict[str, Any]) -> tuple[str, int]:
    return row["request_hash"], row["occurrence"]


@pytest.mark.parametrize("mode", ["record", "update", "extend"])
def test_each_row_is_a_readable_file_named_by_its_request(mode: str, provider: Provider, folder: str) -> None:
    """`<key>.json`, then `<key>.2.json`; indented, its fields in one order, ended by a newline; nothing beside it."""
    play(folder, mode, provider.url, "a", "b", "a", "a")

    found = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in Path(folder).iterdir()}
    (a,) = {row["request_hash"] for row in found.values() if row["occurrence"] == 1}
    (b,) = {row["request_hash"] for row in found.values()} - {a}
    assert sorted(found) == sorted([f"{a}.json", f"{a}.2.json", f"{a}.3.json", f"{b}.json"])
    assert [found[f"{a}{rank}.json"]["occurrence"] for rank in ("", ".2", ".3")] == [0, 1, 2]
    assert [list(row) for row in found.values()] == [_FIELDS] * 4
    for text in texts_of(folder):
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False).encode() + b"\n"


@pytest.mark.parametrize("caller", CALLERS[::3], ids=str)
def test_a_folder_that_is_there_needs_no_slash(caller: Caller, provider: Provider, canary: Canary, folder: str) -> None:
    """Without one, what is not there is a file."""
    named = folder.rstrip("/")
    play(folder, "record", provider.url, "a", caller=caller)
    play(named, "extend", provider.url, "b", caller=caller)
    play(f"{named}2", "record", provider.url, "b", caller=caller)

    assert play(Path(named), "replay", canary.url, "a", "b", caller=caller) == ["Reply 1 to: a", "Reply 2 to: b"]
    assert [Path(named).is_dir(), Path(f"{named}2").is_dir()] == [True, False]


@pytest.mark.parametrize(("mode", "others"), [("record", ""), ("update", "bbc")])
def test_the_files_of_a_request_are_replaced_together(
    mode: str, others: str, provider: Provider, canary: Canary, folder: str
) -> None:
    """Higher numbers too, though there are fewer now; `record` leaves no other row, `update` no byte of one changed."""
    play(folder, "record", provider.url, "a", "b", "a", "b", "a", "c")
    before = everything(folder)

    play(folder, mode, provider.url, "a", "d")

    assert [text for text, _, _ in exchanges(folder)] == sorted(["a", *others, "d"])
    after = everything(folder)
    assert len([name for name, text in after.items() if before.get(name) == text]) == len(others)
    assert play(folder, "replay", canary.url, "a", "d") == ["Reply 7 to: a", "Reply 8 to: d"]


def test_a_number_in_the_middle_that_somebody_removed_is_no_fault(
    provider: Provider, canary: Canary, folder: str
) -> None:
    """What is added takes the free name and a number past all; rows are served by their numbers."""
    play(folder, "record", provider.url, "a", "a", "a")
    (second,) = Path(folder).glob("*.2.json")
    second.unlink()

    assert play(folder, "extend", provider.url, "a", "a", "a")[2] == "Reply 4 to: a"
    assert sorted(number for _, number, _ in exchanges(folder)) == [0, 2, 3]
    assert play(folder, "replay", canary.url, "a", "a", "a") == [f"Reply {number} to: a" for number in (1, 3, 4)]


@pytest.mark.parametrize("mode", ["record", "update"])
def test_a_failing_body_leaves_the_rows_and_what_it_recorded_among_them(
    mode: str, provider: Provider, canary: Canary, folder: str
) -> None:
    """In a hidden file, which no reader takes for a row; the next recording moves it, with a warning."""
    play(folder, "record", provider.url, "a", "b")
    before = everything(folder)

    fail(folder, mode, provider.url)
    left = partial_of(folder).read_bytes()
    after = everything(folder)
    replayed = play(folder, "replay", canary.url, "a", "b")
    with pytest.warns(intercept.InterceptWarning, match=r"\.failed\.jsonl"):
        play(folder, mode, provider.url, "a", "b")

    assert after == {**before, "test/.partial.jsonl": left}
    assert replayed == ["Reply 1 to: a", "Reply 2 to: b"]
    assert failed_of(folder).read_bytes() == left
    assert len(names(Path(folder))) == 3


@pytest.mark.parametrize("mode", ["replay", "record", "update", "extend"])
@pytest.mark.parametrize(
    "name", ["README.md", "x.json", "0" * 64 + ".1.json", "0" * 64 + ".json.orig", "A" * 64 + ".json"]
)
def test_a_file_that_is_no_row_refuses_the_folder(mode: str, name: str, provider: Provider, folder: str) -> None:
    """Before a call is made, and nothing is changed: it may be a folder of somebody's own."""
    play(folder, "record", provider.url, "a")
    (Path(folder) / name).write_text("{}", encoding="utf-8")
    before, hits = everything(folder), provider.hits

    with pytest.raises(intercept.CassetteError) as caught:
        play(folder, mode, provider.url, "a")

    assert caught.value.where == f"{folder}{name}"
    assert everything(folder) == before
    assert provider.hits == hits


@pytest.mark.parametrize("field", ["v", "hash_version", "request_hash", "status"])
def test_a_row_that_lacks_a_field_is_named_by_its_file(field: str, provider: Provider, folder: str) -> None:
    """As a line is named in the other layout."""
    play(folder, "record", provider.url, "a")
    (file,) = Path(folder).iterdir()
    row = json.loads(file.read_bytes())
    del row[field]
    file.write_text(json.dumps(row), encoding="utf-8")

    with pytest.raises(intercept.CassetteError, match=field) as caught:
        play(folder, "replay", provider.url, "a")

    assert caught.value.where == str(file)


def test_a_call_that_fails_in_an_empty_folder_makes_nothing(provider: Provider, folder: str) -> None:
    """No answer, no row, and no file that waits."""
    Path(folder).mkdir(parents=True)

    async def failing(client: Any) -> None:
        with pytest.raises(Exception, match=r"(?i)connection"):
            await ask(client)

    for mode in ("record", "extend"):
        with intercept.use_cassette(folder, mode=mode):
            provider.answer(Answer(cut_after=-1))
            SYNC.run(failing, SYNC.client(provider.url, max_retries=0))

    assert everything(folder) == {}
