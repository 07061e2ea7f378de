"""A real disk that is full, read-only or gone: what the application has, what is kept, and what is said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.core.places import (
    Place,
    asked_in,
    asking,
    every_layout,
    every_mode,
    every_mode_alone,
    place_in,
    record_again,
)
from tests.core.recording import SYNC
from tests.core.small_disks import SmallDisk, small_disk

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A disk that is soon full."""
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


def _recorded(
    place: Place,
    url: str,
    *texts: str,
    mode: str,
    before: Callable[[], object] = int,
    between: Callable[[], object] = int,
) -> tuple[list[str], str]:
    """Record questions, with something done before and behind the first; return the answers, and what is told."""
    heard: list[str] = []

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode):
            before()
            for text in texts:
                heard.extend(SYNC.run(asking(text), SYNC.client(url)))
                if text == texts[0]:
                    between()

    with pytest.raises(intercept.InterceptError) as caught:
        ran()
    return heard, str(caught.value)


@every_mode
@every_layout
def test_a_disk_that_is_full_for_one_row_keeps_the_others(
    mode: str, layout: str, disk: SmallDisk, provider: Provider
) -> None:
    """The row that does not fit leaves no trace, and the next one that fits is kept."""
    place = place_in(disk.folder, layout)
    before = place.fill()
    long = "x" * 40_000

    heard, error = _recorded(place, provider.url, "one", long, "three", mode=mode)

    assert heard == ["Reply 1 to: one", f"Reply 2 to: {long}", "Reply 3 to: three"]
    assert error.count("No space left on device") == error.count("POST /chat/completions") == 1
    assert str(place.path if mode == "extend" else place.partial) in error
    kept = place.questions() if mode == "extend" else asked_in(place.partial)
    assert kept == ["one", "three"]
    assert mode == "extend" or place.files() == {**before, place.partial.name: place.partial.read_bytes()}
    assert not [name for name in place.files() if name.endswith(".new")]
    record_again(place, provider.url)


@every_mode_alone
@every_layout
def test_a_disk_that_is_too_full_for_the_end_keeps_the_cassette_and_the_rows(
    mode: str, layout: str, disk: SmallDisk, provider: Provider
) -> None:
    """Beside the old cassette and the rows there is no place for the new cassette; `adopt` puts it right later."""
    place = place_in(disk.folder, layout)
    before = place.fill()
    texts = [letter * 5000 for letter in "abc"]

    heard, error = _recorded(place, provider.url, *texts, mode=mode, between=lambda: disk.fill(left=32 * 1024))
    during = place.files()
    disk.free()

    assert heard == [f"Reply {number} to: {text}" for number, text in enumerate(texts, 1)]
    assert "No space left on device" in error
    assert during == {**before, place.partial.name: place.partial.read_bytes()}
    assert asked_in(place.partial) == texts
    record_again(place, provider.url)


@every_mode
@every_layout
@pytest.mark.parametrize("existed", [False, True])
def test_a_disk_without_any_space_costs_no_call(
    mode: str, layout: str, *, existed: bool, disk: SmallDisk, provider: Provider
) -> None:
    """No row can be kept, and nothing is made that would be in the way later."""
    place = place_in(disk.folder, layout)
    before = place.fill() if existed else {}
    disk.fill()
    texts = ["a" * 5000, "b" * 5000]  # more than the last page of a file may have left

    heard, error = _recorded(place, provider.url, *texts, mode=mode)

    assert heard == [f"Reply {number} to: {text}" for number, text in enumerate(texts, 1)]
    assert error.count("No space left on device") == 2
    assert place.files() == before
    disk.free()
    record_again(place, provider.url)


@every_mode
@every_layout
@pytest.mark.parametrize("existed", [False, True])
def test_a_disk_that_becomes_read_only_costs_no_call(
    mode: str, layout: str, *, existed: bool, disk: SmallDisk, provider: Provider
) -> None:
    """Between the beginning of a session and its first row."""
    place = place_in(disk.folder, layout)
    before = place.fill() if existed else {}

    heard, error = _recorded(place, provider.url, "one", "two", mode=mode, before=disk.close)

    assert heard == ["Reply 1 to: one", "Reply 2 to: two"]
    assert error.count("Read-only file system") == 2
    assert place.files() == before
    disk.reopen()
    record_again(place, provider.url)


@every_mode
@every_layout
@pytest.mark.parametrize("gone", ["the disk", "the folder"])
def test_a_folder_that_is_gone_costs_no_call(
    gone: str, mode: str, layout: str, disk: SmallDisk, provider: Provider
) -> None:
    """Rows that are nowhere any more are told of, whatever the mode; the next recording begins anew."""
    place = place_in(disk.folder, layout)
    place.fill()

    def go() -> None:
        if gone == "the disk":
            disk.take_away()
        else:
            shutil.rmtree(place.folder)

    heard, error = _recorded(place, provider.url, "one", "two", mode=mode, between=go)

    assert heard == ["Reply 1 to: one", "Reply 2 to: two"]
    assert str(place.path if mode == "extend" else place.partial) in error
    record_again(place, provider.url)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the tests above run as they are")
def test_where_only_root_may_mount_a_namespace_of_our_own_does(tmp_path: Path) -> None:
    """The tests above, run by whom this system lets be root among its own."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no namespace can be made here")

    ran = subprocess.run(
        [
            unshare,
            "-rm",
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--basetemp",
            tmp_path / "run",
            __file__,
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout
