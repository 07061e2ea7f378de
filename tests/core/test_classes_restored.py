"""Every class is left as it was found, however a session begins and ends."""

from __future__ import annotations

import asyncio
import os
import types
from pathlib import Path
from typing import Any, cast

import openai
import pytest
import wrapt

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask
from tests.conftest import shipped

_CLIENT: Any = openai._base_client.SyncAPIClient


def test_active_patches_are_one_deep_however_often_activated(played: Path) -> None:
    """Fifty sessions one after another, and three nested, leave one wrapper while active and none after."""
    before = shipped()
    for _ in range(50):
        with intercept.use_cassette(played):
            pass
    with intercept.use_cassette(played), intercept.use_cassette(played), intercept.use_cassette(played):
        wrapper: Any = shipped()[_CLIENT]["request"]
        assert isinstance(wrapper, wrapt.FunctionWrapper)
        assert isinstance(cast("Any", wrapper).__wrapped__, types.FunctionType)

    assert shipped() == before


@pytest.mark.parametrize(
    "leaving",
    [ValueError("no"), KeyboardInterrupt(), SystemExit(0), SystemExit(3), GeneratorExit(), asyncio.CancelledError()],
)
def test_every_way_of_leaving_restores(leaving: BaseException, played: Path) -> None:
    """The exception comes out as it is, and the classes are as before."""
    before = shipped()
    with pytest.raises(type(leaving)) as caught, intercept.use_cassette(played):
        raise leaving

    assert caught.value is leaving
    assert shipped() == before


def test_a_failure_at_any_step_of_setting_up_restores(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever wrapper cannot be made: its error comes out, nothing stays, and the next session works."""
    before = shipped()
    made = wrapt.FunctionWrapper
    step = 0
    while True:
        step += 1
        countdown = iter(range(step, -1, -1))

        def failing(*args: Any, countdown: Any = countdown, **kwargs: Any) -> Any:
            if next(countdown) == 0:
                raise ZeroDivisionError
            return made(*args, **kwargs)

        monkeypatch.setattr(wrapt, "FunctionWrapper", failing)
        try:
            with intercept.use_cassette(played):
                pass
        except ZeroDivisionError:
            assert shipped() == before
        else:
            break
        finally:
            monkeypatch.setattr(wrapt, "FunctionWrapper", made)
    assert step > 10
    with intercept.use_cassette(played) as session:
        CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
    assert len(session.calls) == 1


def test_a_failure_while_saving_restores(provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system refuses at the very end."""
    before = shipped()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    def recording() -> None:
        with intercept.use_cassette(cassette, mode="record"):
            CALLERS[0].run(ask, CALLERS[0].client(provider.url))
            monkeypatch.setattr(os, "replace", refuse)

    with pytest.raises(intercept.CassetteError, match="could not be written"):
        recording()

    assert shipped() == before


def test_a_wrapper_that_someone_else_put_on_top_stays(played: Path) -> None:
    """We leave below it; what remains of us does nothing, and the next session intercepts once."""
    cls: Any = _CLIENT
    shipped_request: Any = shipped()[cls]["request"]
    log: list[str] = []

    def theirs(wrapped: Any, _instance: Any, args: Any, kwargs: Any) -> Any:
        log.append("theirs")
        return wrapped(*args, **kwargs)

    try:
        with intercept.use_cassette(played):
            ours: Any = shipped()[cls]["request"]
            cls.request = top = wrapt.FunctionWrapper(ours, theirs)
        assert shipped()[cls]["request"] is top
        with intercept.use_cassette(played) as session:
            CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
        assert len(session.calls) == 1
        assert log == ["theirs"]
        assert shipped()[cls]["request"] is top
    finally:
        cls.request = shipped_request


def test_an_end_that_is_interrupted_lets_the_next_session_record(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the recording is put in place."""
    replace = os.replace

    def interrupt(old: Any, new: Any, **folders: Any) -> None:
        if new == cassette.name:
            raise KeyboardInterrupt
        replace(old, new, **folders)

    def recording() -> None:
        with intercept.use_cassette(cassette, mode="record"):
            CALLERS[0].run(ask, CALLERS[0].client(provider.url))

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        recording()
    monkeypatch.undo()
    with pytest.warns(intercept.InterceptWarning, match="did not end well"):
        recording()

    assert cassette.is_file()
