"""Disks that fail when a recording is to take its cassette's place: that stays as it was, and nothing is lost."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.failing_files import Faults
from tests.core.places import Place, asked_in, asking, every_layout, every_mode_alone, place_in, record_again
from tests.core.recording import SYNC

pytestmark = pytest.mark.usefixtures("no_run")

_TEXTS = ["one", "two", "three"]
_FAULTS: dict[str, Callable[[Faults], None]] = {
    "the first sync": lambda faults: faults.sync(1),
    "a full disk later": lambda faults: faults.write(b'"two"', place=".new"),
    "a failing disk": lambda faults: faults.write(b'"three"', place=".new", error=errno.EIO),
}
every_fault = pytest.mark.parametrize("fault", _FAULTS.values(), ids=_FAULTS.keys())


def _recorded(place: Place, url: str, texts: list[str], *, mode: str) -> None:
    """Ask three questions, with what is heard put in `texts`."""
    with intercept.use_cassette(place, mode=mode):
        texts.extend(SYNC.run(asking(*_TEXTS), SYNC.client(url)))


@every_fault
@every_layout
@pytest.mark.parametrize(("mode", "existed"), [("record", True), ("update", True), ("record", False)])
def test_a_cassette_that_cannot_be_written_stays_as_it_was(
    fault: Callable[[Faults], None],
    mode: str,
    layout: str,
    *,
    existed: bool,
    faults: Faults,
    provider: Provider,
    tmp_path: Path,
) -> None:
    """To the byte, with the rows in the partial file beside it; the error names both, and nothing else is left."""
    place = place_in(tmp_path, layout)
    before = place.fill() if existed else {}
    fault(faults)
    texts: list[str] = []

    with pytest.raises(intercept.CassetteError, match="could not be written") as caught:
        _recorded(place, provider.url, texts, mode=mode)
    faults.end()

    assert texts == [f"Reply {number} to: {text}" for number, text in enumerate(_TEXTS, 1)]
    assert faults.met == 1
    assert caught.value.where == str(place.path)
    assert str(place.partial) in str(caught.value)
    assert place.files() == {**before, place.partial.name: place.partial.read_bytes()}
    assert asked_in(place.partial) == _TEXTS
    record_again(place, provider.url)


@every_mode_alone
@every_layout
def test_a_name_that_is_refused_leaves_a_cassette_that_can_be_read(
    mode: str, layout: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """All is in the partial file, and no file of another name stays."""
    place = place_in(tmp_path, layout)
    before = place.fill()
    faults.replace()

    with pytest.raises(intercept.CassetteError, match=re.escape(os.strerror(errno.EIO))):
        _recorded(place, provider.url, [], mode=mode)
    faults.end()

    assert faults.met == 1
    assert place.files().keys() <= before.keys() | {place.partial.name}
    assert place.is_folder or place.files() == {**before, place.partial.name: place.partial.read_bytes()}
    assert asked_in(place.partial) == _TEXTS
    with intercept.use_cassette(place):
        pass
    record_again(place, provider.url)


@every_layout
def test_a_folder_that_cannot_be_synced_is_no_failure(
    layout: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """Some file systems cannot do that; the files are whole on the disk, and have their names."""
    place = place_in(tmp_path, layout)
    faults.sync(4 if place.is_folder else 2)

    _recorded(place, provider.url, [], mode="record")

    assert faults.met == 1
    assert sorted(place.questions()) == sorted(_TEXTS)
    assert not place.partial.exists()
