"""Disks that fail while rows are written: the application has its answers, and the session fails, once."""

from __future__ import annotations

import errno
import os
import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import Caller
from tests.conftest import Canary
from tests.core.failing_files import Faults
from tests.core.places import (
    Place,
    asked_in,
    asking,
    every_layout,
    every_mode,
    every_way_and_some,
    place_in,
    record_again,
)
from tests.core.recording import SYNC

pytestmark = pytest.mark.usefixtures("no_run")

ANSWERS = ["Reply 1 to: one", "Reply 2 to: two", "Reply 3 to: three"]


def _recorded(place: Place, url: str, texts: list[str], *, mode: str, **settings: Any) -> None:
    """Ask three questions, with what is heard put in `texts`."""
    with intercept.use_cassette(place, mode=mode, **settings):
        texts.extend(SYNC.run(asking("one", "two", "three"), SYNC.client(url)))


@every_way_and_some
def test_a_row_that_cannot_be_written_costs_itself_alone(
    caller: Caller, mode: str, layout: str, *, streamed: bool, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """Every answer arrives, the rows before and after are kept, and the failure is told once, at the end."""
    place = place_in(tmp_path, layout)
    before = place.fill()
    faults.write(b'"two"')
    texts: list[str] = []

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode):
            texts.extend(caller.run(asking("one", "two", "three", streamed=streamed), caller.client(provider.url)))

    with pytest.raises(intercept.NotVerified, match="No space left on device") as caught:
        ran()

    kept = place.path if mode == "extend" else place.partial
    operation = "POST /chat/completions" if caller.sdk == "openai" else "POST /v1/messages"
    assert texts == ANSWERS
    assert (faults.met, provider.hits) == (1, 3)
    assert [str(failure) for failure in caught.value.failures] == [
        f"{kept}: the row of {caller.sdk} {operation} could not be written: No space left on device"
    ]
    if mode == "extend":
        assert place.files().keys() - before.keys() == (place.new_files("one", "three") if place.is_folder else set())
        assert place.questions() == sorted(["one", "three"])
    else:
        assert place.files() == {**before, place.partial.name: place.partial.read_bytes()}
        assert asked_in(place.partial) == ["one", "three"]
    with intercept.use_cassette(kept):
        heard = caller.run(asking("one", "three", streamed=streamed), caller.client(provider.url))
    assert (heard, provider.hits) == (["Reply 1 to: one", "Reply 3 to: three"], 3)
    record_again(place, provider.url)


@every_mode
@every_layout
@pytest.mark.parametrize("most", [1, 100])
def test_writes_that_take_a_part_go_on(
    most: int, mode: str, layout: str, *, faults: Faults, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """A system may take less than it is given, without an error; the cassette has all the same."""
    place = place_in(tmp_path, layout)
    place.fill()
    texts: list[str] = []
    faults.shorten(most)

    _recorded(place, provider.url, texts, mode=mode)
    faults.end()

    assert faults.met > 3
    assert place.questions() == (sorted if place.is_folder else list)(["one", "two", "three"])
    with intercept.use_cassette(place):
        assert SYNC.run(asking("one", "two", "three"), SYNC.client(canary.url)) == texts == ANSWERS


@every_mode
@every_layout
def test_a_disk_that_fails_for_good_costs_no_call(
    mode: str, layout: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """No row could be kept; the cassette is as it was, with nothing beside it."""
    place = place_in(tmp_path, layout)
    before = place.fill()
    faults.write(b'"openai"', error=errno.EIO, times=99)
    texts: list[str] = []

    with pytest.raises(intercept.NotVerified, match=re.escape(os.strerror(errno.EIO))) as caught:
        _recorded(place, provider.url, texts, mode=mode)
    faults.end()

    assert (texts, len(caught.value.failures)) == (ANSWERS, 3)
    assert place.files() == before
    assert "adopt" not in str(caught.value)
    record_again(place, provider.url)


@every_mode
@every_layout
def test_a_new_cassette_that_cannot_be_begun_is_begun_by_the_next_row(
    mode: str, layout: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """The disk is full for a moment, when the first file is made: no file without a header may stay."""
    place = place_in(tmp_path, layout)
    faults.write(b'"hash_version"', taken=20)
    texts: list[str] = []

    with pytest.raises(intercept.NotVerified, match="No space left on device") as caught:
        _recorded(place, provider.url, texts, mode=mode)

    assert (texts, faults.met, len(caught.value.failures)) == (ANSWERS, 1, 1)
    kept = place.path if mode == "extend" else place.partial
    with intercept.use_cassette(kept):
        assert SYNC.run(asking("two", "three"), SYNC.client(provider.url)) == ANSWERS[1:]
    record_again(place, provider.url)


@every_mode
@every_layout
@pytest.mark.parametrize("fault", ["a row", "the folder"])
@pytest.mark.parametrize("keep_on_error", [False, True])
def test_no_fault_of_the_disk_masks_an_error_of_the_body(
    fault: str, mode: str, layout: str, *, keep_on_error: bool, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """It is told beside it, in a note; before Python 3.11 there are none, so it is a warning there."""
    place = place_in(tmp_path, layout)
    error = ValueError("of the body")
    if fault == "a row":
        faults.write(b'"two"')

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode, keep_on_error=keep_on_error):
            SYNC.run(asking("one", "two"), SYNC.client(provider.url))
            if fault == "the folder":
                shutil.rmtree(place.folder)
            raise error

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="of the body") as caught:
            ran()

    told = [*getattr(error, "__notes__", []), *(str(warning.message) for warning in warned)]
    lost = "No space left on device" if fault == "a row" else "No such file or directory"
    is_told = fault == "a row" or keep_on_error  # else nobody asked what became of the rows
    assert caught.value is error
    assert sum(lost in text for text in told) == is_told
    record_again(place, provider.url)
