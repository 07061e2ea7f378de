"""`strict=True`: a row that cannot be written is an error at the call, as nobody would look at it later."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, items, settled
from tests.core.failing_files import Faults
from tests.core.places import (
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


@every_way_and_some
def test_a_strict_recording_raises_at_the_call(
    caller: Caller, mode: str, layout: str, *, streamed: bool, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """Our own error as it is, after one attempt: the SDK neither wraps it nor tries again."""
    place = place_in(tmp_path, layout)
    before = place.fill()
    faults.write(b'"two"')

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode, strict=True):
            caller.run(asking("one", "two", "three", streamed=streamed), caller.client(provider.url, max_retries=3))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        with pytest.raises(intercept.InterceptError) as caught:
            ran()

    kept = place.path if mode == "extend" else place.partial
    assert type(caught.value) is intercept.CassetteError
    assert caught.value.where == str(kept)
    assert caught.value.reason.endswith("could not be written: No space left on device")
    assert (provider.hits, faults.met) == (2, 1)
    assert mode == "extend" or place.files() == {**before, place.partial.name: place.partial.read_bytes()}
    assert (place.questions() if mode == "extend" else asked_in(place.partial)) == ["one"]
    record_again(place, provider.url)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_every_event_of_a_stream_arrives_before_its_row_fails(
    caller: Caller, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """The error comes where the stream ends, so that no event is withheld."""
    place = place_in(tmp_path, "file")
    faults.write(b'"two"')
    events: list[list[Any]] = []

    async def asked(client: Any) -> None:
        events.append([])
        async for event in items(await ask(client, "two", stream=True)):
            events[-1].append(type(event))

    def ran() -> None:
        with intercept.use_cassette(place, mode="record", strict=True):
            caller.run(asked, caller.client(provider.url))

    with pytest.raises(intercept.CassetteError, match="could not be written"):
        ran()
    caller.run(asked, caller.client(provider.url))

    strict, live = events
    assert strict == live != []
    assert (provider.hits, faults.met) == (2, 1)


@every_mode
@every_layout
def test_an_error_that_the_application_swallows_fails_the_session(
    mode: str, layout: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """As anything else does that it did not want to know."""
    place = place_in(tmp_path, layout)
    faults.write(b'"two"')
    caught: list[Exception] = []

    def ran() -> None:
        with intercept.use_cassette(place, mode=mode, strict=True):
            try:
                SYNC.run(asking("one", "two"), SYNC.client(provider.url))
            except Exception as error:  # noqa: BLE001  as applications do
                caught.append(error)

    with pytest.raises(intercept.NotVerified) as at_end:
        ran()

    assert at_end.value.failures == tuple(caught)
    record_again(place, provider.url)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@every_mode
def test_a_stream_left_open_masks_no_error_of_the_body(
    caller: Caller, mode: str, faults: Faults, provider: Provider, tmp_path: Path
) -> None:
    """Its row is written when the session ends, where there is nobody to tell but the error that ends it."""
    place = place_in(tmp_path, "file")
    faults.write(b'"two"')

    async def asked(client: Any) -> None:
        with intercept.use_cassette(place, mode=mode, strict=True):
            stream = await ask(client, "two", stream=True)
            try:
                raise ValueError("of the body")
            finally:
                held.append(stream)

    async def whole(client: Any) -> None:
        try:
            await asked(client)
        finally:
            await settled(getattr(held[0], "close", held[0].response.close)())

    held: list[Any] = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="of the body") as caught:
            caller.run(whole, caller.client(provider.url))

    notes = [*getattr(caught.value, "__notes__", []), *(str(warning.message) for warning in warned)]
    assert faults.met == 1
    assert ["No space left on device" in note for note in notes] == [True]
