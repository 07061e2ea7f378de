"""How a recording ends: only a clean end with a row in it takes the cassette's place."""

from __future__ import annotations

import asyncio
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import Caller, ask
from tests.core.recording import OLD, every_caller, names, partial_file, questions, record_and_raise, replay

pytestmark = pytest.mark.usefixtures("no_run")

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
            record_and_raise(old, provider.url, error)

    assert caught.value is error
    assert old.read_bytes() == OLD
    assert names(old.parent) == [old.name, partial_file(old).name]
    assert replay(partial_file(old), provider.url, "hi") == ["Reply 1 to: hi"]
    assert provider.hits == 1


@pytest.mark.parametrize("error", _ENDS, ids=repr)
def test_an_exit_without_failure_is_a_clean_end(error: BaseException, provider: Provider, old: Path) -> None:
    """A program may end itself; a generator may be closed."""
    with pytest.raises(type(error)):
        record_and_raise(old, provider.url, error)

    assert questions(old) == ["hi"]
    assert names(old.parent) == [old.name]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(1), SystemExit(0)], ids=repr)
def test_a_recording_may_be_kept_whatever_ends_it(error: BaseException, provider: Provider, old: Path) -> None:
    """With `keep_on_error`."""
    with pytest.raises(type(error)):
        record_and_raise(old, provider.url, error, keep_on_error=True)

    assert questions(old) == ["hi"]
    assert names(old.parent) == [old.name]


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
            record_and_raise(cassette, provider.url, error)

    texts: list[str] = [*getattr(error, "__notes__", []), *(str(warning.message) for warning in caught)]
    assert len(texts) == 1
    assert str(cassette) in texts[0]
    assert str(partial_file(cassette)) in texts[0]
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
    assert names(old.parent) == [old.name]


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
    assert not existed or names(cassette.parent) == [cassette.name]


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
    assert names(old.parent) == [old.name]
