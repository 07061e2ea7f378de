"""`use_cassette` on functions of every kind: each stays what it is, and each run is a session of its own."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import Session, current_session, use_cassette
from tests.conftest import Canary
from tests.core.running import ran, session_here


class _Kinds:
    """The same in every kind: they note the session they run in."""

    def __init__(self) -> None:
        self.sessions: list[Session | None] = []

    def note(self) -> None:
        self.sessions.append(current_session())

    def function(self, number: int, /, *others: int, flag: bool = False, **more: str) -> tuple[Any, ...]:
        """Do it."""
        self.note()
        return number, others, flag, more

    async def coroutine(self, number: int, *, flag: bool = False) -> tuple[int, bool]:
        """Do it later."""
        self.note()
        await asyncio.sleep(0)
        self.note()
        return number, flag

    def generator(self, number: int) -> Generator[int, str, str]:
        """Do it in steps."""
        self.note()
        got = yield number
        self.note()
        return got

    async def async_generator(self, number: int) -> AsyncGenerator[int, str]:
        """Do it in steps, later."""
        self.note()
        yield number
        self.note()


KINDS = ["function", "coroutine", "generator", "async_generator"]
_ARGUMENTS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "function": ((1, 2, 3), {"flag": True, "name": "x"}),
    "coroutine": ((1,), {"flag": True}),
    "generator": ((1,), {}),
    "async_generator": ((1,), {}),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["with a path", "with settings"])
def test_a_decorated_function_runs_inside_of_a_session(kind: str, how: str, empty: Path) -> None:
    """From its first line to its last, with the arguments and results that it has without us."""
    kinds = _Kinds()
    plain = getattr(kinds, kind)
    door = use_cassette(empty) if how == "with a path" else use_cassette(empty, mode="replay", verify=False)
    decorated = door(plain)
    positional, named = _ARGUMENTS[kind]
    expected = ran(plain(*positional, **named))
    kinds.sessions.clear()

    result = ran(decorated(*positional, **named))

    sessions = {id(session) for session in kinds.sessions}
    (session, *_) = kinds.sessions
    assert result == expected
    assert len(sessions) == 1
    assert session is not None
    assert (session.path, session.mode, session.ended) == (empty, "replay", True)
    assert current_session() is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_bare_decorator_names_the_cassette_itself(kind: str, canary: Canary) -> None:
    """After the function, in the folder of cassettes; here there is none, and the error says where it would be."""
    decorated = use_cassette(getattr(_Kinds(), kind))
    positional, named = _ARGUMENTS[kind]

    with pytest.raises(intercept.CassetteError, match=rf"test_decorator.+{kind}.* no such cassette"):
        ran(decorated(*positional, **named))


@pytest.mark.parametrize("kind", KINDS)
def test_each_call_is_a_session_of_its_own(kind: str, empty: Path) -> None:
    """Rows are served anew, and what is recorded is not mixed."""
    kinds = _Kinds()
    decorated = use_cassette(empty)(getattr(kinds, kind))
    positional, named = _ARGUMENTS[kind]

    for _ in range(3):
        ran(decorated(*positional, **named))

    assert None not in kinds.sessions
    assert len({id(session) for session in kinds.sessions}) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_stays_of_its_kind(kind: str, empty: Path) -> None:
    """Frameworks look at names, signatures and kinds; pytest at all of them."""
    plain = getattr(_Kinds, kind)
    plain.mark = "kept"
    decorated = use_cassette(empty)(plain)

    def seen(function: Any) -> dict[str, Any]:
        return {
            "signature": inspect.signature(function),
            "coroutine": inspect.iscoroutinefunction(function),
            "generator": inspect.isgeneratorfunction(function),
            "async generator": inspect.isasyncgenfunction(function),
            "plain": inspect.isfunction(function),
            **{
                name: getattr(function, name)
                for name in ("__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "mark")
            },
        }

    assert seen(decorated) == seen(plain)
    assert inspect.unwrap(decorated) is plain
    assert decorated is not plain
    del plain.mark


def test_a_plain_function_that_returns_a_coroutine_stays_plain(empty: Path) -> None:
    """Its session ends when it returns: nobody can know what becomes of the coroutine."""

    async def later() -> Session | None:
        return current_session()

    @use_cassette(empty)
    def now() -> tuple[Session, Awaitable[Session | None]]:
        return session_here(), later()

    session, coroutine = now()

    assert not inspect.iscoroutinefunction(now)
    assert session.ended
    assert ran(coroutine) is None


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_leaves_as_it_was_raised(kind: str, empty: Path) -> None:
    """The very object; the session is over then."""
    error = ValueError("mine")
    seen: list[Session] = []

    def fail() -> None:
        seen.append(session_here())
        raise error

    def function() -> None:
        fail()

    async def coroutine() -> None:
        await asyncio.sleep(0)
        fail()

    def generator() -> Generator[None]:
        yield
        fail()

    async def async_generator() -> AsyncGenerator[None]:
        yield
        fail()

    failing: dict[str, Callable[[], Any]] = {
        "function": function,
        "coroutine": coroutine,
        "generator": generator,
        "async_generator": async_generator,
    }
    with pytest.raises(ValueError, match="mine") as caught:
        ran(use_cassette(empty)(failing[kind])())

    assert caught.value is error
    assert seen[0].ended
    assert current_session() is None


@pytest.mark.parametrize("how", ["bare", "with a path", "without arguments"])
@pytest.mark.parametrize("setting", ["mod", "record", "Mode", "cassette"])
def test_an_unknown_setting_is_refused_with_the_settings(how: str, setting: str) -> None:
    """A typing error would else be taken for the default; nothing has to run for it to show."""

    def function() -> None: ...

    door: Any = use_cassette
    first: dict[str, list[Any]] = {"bare": [function], "with a path": ["x.jsonl"], "without arguments": []}

    with pytest.raises(TypeError) as caught:
        door(*first[how], **{setting: "record"})

    text = str(caught.value)
    assert setting in text
    assert all(known in text for known in ("adapters", "keep_headers", "keep_on_error", "mode", "verify"))


def test_a_partial_function_is_decorated_and_what_is_no_function_is_refused(empty: Path) -> None:
    """By a typed error that says so."""

    def add(one: int, two: int) -> int:
        return one + two

    assert use_cassette(empty)(functools.partial(add, 1))(2) == 3
    with pytest.raises(TypeError, match="decorates functions and classes of tests"):
        use_cassette(empty)(len)
