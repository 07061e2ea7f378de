"""Files that others replace or remove while a recording goes on: what had ended is kept, or it is said what is not."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from intercept.rescue import rescue
from tests.core.children import PATIENCE, Child, Report, event
from tests.core.forking import answered, forked, kept, wait_for
from tests.core.recording import SYNC, UPDATE, asking, partial_file, record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

every_mode = pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])


def _other(cassette: Path, url: str) -> None:
    """Put another cassette in its place, with a row of a request that is asked here too."""
    other = cassette.with_name("other.jsonl")
    record(other, url, "one", "of another")
    other.replace(cassette)


def _copy(cassette: Path, url: str) -> None:
    """Put a copy of it, as an editor writes one, in its place."""
    copy = shutil.copy(cassette, cassette.with_name("copy.jsonl"))
    Path(copy).replace(cassette)


def _nothing(cassette: Path, url: str) -> None:
    cassette.unlink()


def _removed_partial(cassette: Path, url: str) -> None:
    partial_file(cassette).unlink(missing_ok=True)


_CHANGES = [_other, _copy, _nothing, _removed_partial]


@every_mode
@pytest.mark.parametrize("change", _CHANGES)
@pytest.mark.parametrize("after", [0, 2], ids=["then the end", "then more"])
def test_a_cassette_that_is_replaced_or_removed_loses_no_row_of_the_recording(
    after: int, change: Callable[[Path, str], None], mode: str, *, provider: Provider, cassette: Path
) -> None:
    """In its place, with whatever else belongs there, is every answer that came."""
    record(cassette, provider.url, "of before")
    with intercept.use_cassette(cassette, mode=mode):
        answers = SYNC.run(asking("one", "two", "one"), SYNC.client(provider.url))
        change(cassette, provider.url)
        answers += SYNC.run(asking(*["one", "three"][:after]), SYNC.client(provider.url))

    there = [answer for answer in kept(cassette, gaps=True) if not answer.endswith("of before")]
    others = 2 if change is _other and mode == "extend" else 0
    assert {*answers} <= {*there}
    assert len(there) >= len(answers) + others
    assert intercept.validate(cassette) == []
    assert not partial_file(cassette).exists()


def test_a_call_that_was_under_way_when_its_cassette_was_replaced_gets_a_free_number(
    provider: Provider, cassette: Path
) -> None:
    """The one it was sent under stands in the new file already, which a call that ended before has begun to use."""
    answers: list[str] = []

    def asked(*texts: str) -> None:
        answers.extend(SYNC.run(asking(*texts), SYNC.client(provider.url)))

    with intercept.use_cassette(cassette, mode="extend"):
        asked("two")
        hold = provider.hold()
        under_way = threading.Thread(target=asked, args=("one",))
        under_way.start()
        hold.wait(1)
        provider.hold().open()
        _other(cassette, provider.url)
        asked("two")
        hold.open()
        under_way.join()

    assert intercept.validate(cassette) == []
    assert {*answers} < {*kept(cassette, gaps=True)}
    assert len(kept(cassette, gaps=True)) == len(answers) + 2


def _forking(report: Report, path: Path, url: str, replaced: Event) -> None:
    with intercept.use_cassette(path, mode="extend"):
        answered(report, url, "one")
        replaced.wait(PATIENCE)
        wait_for(forked(report, url, "of a child"))
        answered(report, url, "two")


@pytest.mark.slow
def test_a_forked_child_leaves_its_parents_rows_to_the_parent(provider: Provider, cassette: Path) -> None:
    """Both find another file in the place of theirs; what ended before the fork goes there once."""
    replaced = event()
    child = Child(_forking, cassette, provider.url, replaced)
    first = child.report()
    _other(cassette, provider.url)
    replaced.set()
    answers = [first, *child.rest()]

    assert child.ended == 0
    assert sorted(kept(cassette, gaps=True)) == sorted(["Reply 2 to: one", "Reply 3 to: of another", *answers])


@pytest.mark.parametrize("after", [True, False], ids=["then more", "then the end"])
@every_mode
def test_rows_are_kept_where_something_else_was_put_in_the_place_of_their_cassette(
    mode: str, provider: Provider, cassette: Path, *, after: bool
) -> None:
    """It is left alone, the answers arrive, the end says what is wrong; once it is away the rows can be adopted."""
    record(cassette, provider.url, "of before")
    answers: list[str] = []

    def extended() -> None:
        with intercept.use_cassette(cassette, mode=mode):
            answers.extend(SYNC.run(asking("one"), SYNC.client(provider.url)))
            garbage.replace(cassette)
            answers.extend(SYNC.run(asking(*["two"] * after), SYNC.client(provider.url)))

    garbage = cassette.with_name("garbage")
    garbage.write_bytes(b"no cassette at all")
    with pytest.raises(intercept.InterceptError, match="not the header of an intercept cassette") as caught:
        extended()
    found = cassette.read_bytes()
    cassette.unlink()
    rescue(cassette)

    assert found == b"no cassette at all"
    assert str(cassette) in str(caught.value)
    assert {*answers} <= {*kept(cassette, gaps=True)}
    assert answers == ["Reply 2 to: one", "Reply 3 to: two"][: 1 + after]


@every_mode
@pytest.mark.parametrize("after", [True, False], ids=["then more", "then the end"])
def test_a_recording_whose_folder_was_removed_says_so(
    mode: str, provider: Provider, place: Path, tmp_path: Path, *, after: bool
) -> None:
    """The answers arrive all the same; the end names the file, and the call that has no row."""
    answers: list[str] = []
    folder = tmp_path / "folder"
    path = folder / place.name

    def recorded() -> None:
        with intercept.use_cassette(path, mode=mode):
            answers.extend(SYNC.run(asking("one"), SYNC.client(provider.url)))
            shutil.rmtree(path if path.is_dir() else folder)
            answers.extend(SYNC.run(asking(*["two"] * after), SYNC.client(provider.url)))

    path.mkdir(parents=True) if place.is_dir() else folder.mkdir()
    with pytest.raises(intercept.NotVerified if after else intercept.CassetteError) as caught:
        recorded()

    assert answers == ["Reply 1 to: one", "Reply 2 to: two"][: 1 + after]
    assert str(path.parent) in str(caught.value)
    assert not after or "POST /chat/completions" in str(caught.value)
