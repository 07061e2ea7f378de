"""Links on the way of a cassette: none is followed out of the folder of tests, all are where a person names it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.handmade import header, row
from tests.core.modules import as_module
from tests.core.places import asked_in, asking, every_layout, every_mode, place_in
from tests.core.recording import OLD, SYNC, UPDATE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("no_run"),
    pytest.mark.skipif(os.name != "posix", reason="links of POSIX"),
]

_PARTIAL = header(mode="record", cassette="ask.jsonl") + row(sequence=1)


@dataclass(frozen=True)
class Named:
    """A test in a project, whose cassette has no other name than its own; and a folder outside of the project."""

    ask: Callable[[str, Callable[[], Any]], Any]
    cassette: Path
    outside: Path

    def fill_outside(self) -> None:
        """Put files there that are named like a cassette, and like what a recording leaves."""
        for name, content in {"ask.jsonl": OLD, "ask.partial.jsonl": _PARTIAL, "ask.failed.jsonl": _PARTIAL}.items():
            (self.outside / name).write_bytes(content)

    def swap(self, *, to: Path | None = None) -> None:
        """Put a link to the folder outside in the place of the cassette's own."""
        folder = self.cassette.parent
        folder.rename(folder.with_name("moved"))
        folder.symlink_to(to or self.outside)

    def seen_outside(self) -> dict[str, bytes]:
        """Return what lies there, which nobody may touch."""
        return {path.name: path.read_bytes() for path in self.outside.iterdir()}


@pytest.fixture
def test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Named:
    """A test of a project."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (root / "cassettes").mkdir(parents=True)
    (root / "pyproject.toml").write_bytes(b"")
    module = as_module(
        root / "test_it.py",
        """
        def ask(mode, body):
            with intercept.use_cassette(mode=mode):
                return body()
        """,
    )
    return Named(module["ask"], root / "cassettes" / "test_it" / "ask.jsonl", outside)


def _asked(provider: Provider) -> Any:
    return SYNC.run(asking("hi"), SYNC.client(provider.url))


@pytest.mark.parametrize("mode", ["replay", "record", UPDATE, "extend"])
@pytest.mark.parametrize("link", ["cassette", "folder"])
@pytest.mark.parametrize("dangling", [False, True])
def test_a_test_is_led_nowhere_by_a_link(
    link: str, mode: str, *, dangling: bool, test: Named, provider: Provider
) -> None:
    """Neither to read nor to write; it is refused before a call is made, and nothing is made where it leads."""
    if not dangling:
        test.fill_outside()
    before = test.seen_outside()
    target = test.outside / "nowhere" if dangling else test.outside
    if link == "folder":
        test.cassette.parent.symlink_to(target)
    else:
        test.cassette.parent.mkdir()
        test.cassette.symlink_to(target / test.cassette.name)

    with pytest.raises(intercept.CassetteError, match=r"a link stands in its way|there is no such cassette"):
        test.ask(mode, lambda: _asked(provider))

    assert (provider.hits, test.seen_outside()) == (0, before)


@every_mode
@pytest.mark.parametrize("full", [False, True])
def test_a_folder_that_becomes_a_link_before_the_first_row_leads_nowhere(
    mode: str, *, full: bool, test: Named, provider: Provider
) -> None:
    """Between the opening of the session and its first write."""
    test.cassette.parent.mkdir()
    test.cassette.write_bytes(OLD)
    if full:
        test.fill_outside()
    before = test.seen_outside()
    heard: list[str] = []

    def body() -> None:
        test.swap()
        heard.extend(_asked(provider))

    with pytest.raises(intercept.NotVerified, match=r"POST /chat/completions could not be written"):
        test.ask(mode, body)

    assert heard == ["Reply 1 to: hi"]
    assert test.seen_outside() == before
    assert (test.cassette.parent.with_name("moved") / "ask.jsonl").read_bytes() == OLD


@every_mode
@pytest.mark.parametrize("back", [False, True], ids=["moved", "moved, and asked again"])
def test_a_folder_that_becomes_a_link_behind_the_first_row_leads_nowhere(
    mode: str, *, back: bool, test: Named, provider: Provider
) -> None:
    """Until the end: what is recorded stays in the folder that was moved away."""
    test.fill_outside()
    before = test.seen_outside()
    heard: list[str] = []

    def body() -> None:
        heard.extend(_asked(provider))
        test.swap()
        if back:
            heard.extend(_asked(provider))

    with pytest.raises(intercept.InterceptError) as caught:
        test.ask(mode, body)

    moved = test.cassette.parent.with_name("moved")
    assert isinstance(caught.value, (intercept.NotVerified, intercept.CassetteError))
    assert heard == [f"Reply {number} to: hi" for number in range(1, 2 + back)]
    assert test.seen_outside() == before
    assert asked_in(moved / ("ask.jsonl" if mode == "extend" else "ask.partial.jsonl"))[0] == "hi"


@every_mode
@pytest.mark.parametrize("name", ["ask.partial.jsonl", "ask.failed.jsonl", ".ask.jsonl.{}.new"])
@pytest.mark.parametrize("when", ["before", "while it records", "before its end"])
def test_a_link_beside_the_cassette_is_not_written_through(
    when: str, name: str, mode: str, test: Named, provider: Provider
) -> None:
    """By whichever name a recording goes; if it cannot go on, it says so."""
    test.fill_outside()
    test.cassette.parent.mkdir()
    before = test.seen_outside()

    def plant() -> None:
        planted = test.cassette.with_name(name.format(os.getpid()))
        planted.unlink(missing_ok=True)
        planted.symlink_to(test.outside / "ask.partial.jsonl")

    def body() -> None:
        if when == "while it records":
            plant()
        _asked(provider)
        if when == "before its end":
            plant()

    if when == "before":
        plant()
    try:
        test.ask(mode, body)
    except (intercept.NotVerified, intercept.CassetteError, intercept.InterceptWarning):
        pass
    else:
        assert asked_in(test.cassette) == ["hi"]

    assert test.seen_outside() == before
    assert not test.cassette.is_symlink()


@pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
def test_the_folder_of_all_cassettes_may_be_a_link(mode: str, test: Named, provider: Provider) -> None:
    """Whoever owns the project has laid it: another disk, another repository."""
    (test.cassette.parents[1]).rmdir()
    test.cassette.parents[1].symlink_to(test.outside)

    test.ask(mode, lambda: _asked(provider))

    assert asked_in(test.outside / "test_it" / "ask.jsonl") == ["hi"]
    assert test.ask("replay", lambda: _asked(provider)) == ["Reply 1 to: hi"]


@every_mode
@every_layout
@pytest.mark.parametrize("link", ["cassette", "folder"])
def test_a_cassette_that_a_person_names_is_recorded_through_links(
    link: str, mode: str, layout: str, provider: Provider, tmp_path: Path
) -> None:
    """Which stay: they were laid to keep it elsewhere. Nothing but it is left there."""
    place, elsewhere = place_in(tmp_path, layout), place_in(tmp_path / "elsewhere", layout)
    elsewhere.fill()
    if link == "folder":
        place.path.parent.symlink_to(elsewhere.path.parent)
    else:
        place.path.parent.mkdir()
        place.path.symlink_to(elsewhere.path)

    with intercept.use_cassette(place, mode=mode):
        _asked(provider)

    assert (place.path if link == "cassette" else place.path.parent).is_symlink()
    assert elsewhere.questions() == ["hi"]
    assert not [name for name in elsewhere.files() if "partial" in name or name.endswith(".new")]
    assert list(place.path.parent.iterdir()) == [place.path]
    with intercept.use_cassette(place):
        assert _asked(provider) == ["Reply 1 to: hi"]
