"""`use_cassette` around functions of every kind: each stays what it is, and each run is a session of its own."""

from __future__ import annotations

import asyncio
import functools
import inspect
import re
import threading
import unittest
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import intercept
from intercept import Session, current_session, use_cassette
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask, said
from tests.conftest import Canary
from tests.core.handmade import header
from tests.core.programs import python


@pytest.fixture
def empty(cassette: Path) -> Path:
    """A cassette without rows: enough for a session."""
    cassette.parent.mkdir()
    cassette.write_bytes(header())
    return cassette


def _session() -> Session:
    session = current_session()
    assert session is not None
    return session


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


def _ran(result: Any) -> Any:
    """Bring a result of any kind to its end."""
    if inspect.isasyncgen(result):

        async def items() -> list[Any]:
            return [item async for item in result]

        return asyncio.run(items())
    if inspect.isawaitable(result):

        async def awaited() -> Any:
            return await result

        return asyncio.run(awaited())
    return list(result) if inspect.isgenerator(result) else result


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["with a path", "with settings"])
def test_a_decorated_function_runs_inside_of_a_session(kind: str, how: str, empty: Path) -> None:
    """From its first line to its last, with the arguments and results that it has without us."""
    kinds = _Kinds()
    plain = getattr(kinds, kind)
    door = use_cassette(empty) if how == "with a path" else use_cassette(empty, mode="replay", verify=False)
    decorated = door(plain)
    positional, named = _ARGUMENTS[kind]
    expected = _ran(plain(*positional, **named))
    kinds.sessions.clear()

    result = _ran(decorated(*positional, **named))

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
        _ran(decorated(*positional, **named))


@pytest.mark.parametrize("kind", KINDS)
def test_each_call_is_a_session_of_its_own(kind: str, empty: Path) -> None:
    """Rows are served anew, and what is recorded is not mixed."""
    kinds = _Kinds()
    decorated = use_cassette(empty)(getattr(kinds, kind))
    positional, named = _ARGUMENTS[kind]

    for _ in range(3):
        _ran(decorated(*positional, **named))

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
        return _session(), later()

    session, coroutine = now()

    assert not inspect.iscoroutinefunction(now)
    assert session.ended
    assert _ran(coroutine) is None


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_leaves_as_it_was_raised(kind: str, empty: Path) -> None:
    """The very object; the session is over then."""
    error = ValueError("mine")
    seen: list[Session] = []

    def fail() -> None:
        seen.append(_session())
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
        _ran(use_cassette(empty)(failing[kind])())

    assert caught.value is error
    assert seen[0].ended
    assert current_session() is None


def _talking(log: list[object]) -> Generator[object, object, object]:
    """Answer what is sent, and what is thrown; note all."""
    log.append("begins")
    answer: object = "first"
    try:
        while True:
            try:
                got = yield answer
            except KeyError as error:
                log.append(error)
                answer = f"caught {error}"
            else:
                log.append(got)
                if got == "return":
                    return "returned"
                if got == "raise":
                    raise LookupError("raised")
                answer = f"got {got}"
    finally:
        log.append("cleans up")


async def _talking_later(log: list[object]) -> AsyncGenerator[object, object]:
    """The same, later."""
    log.append("begins")
    answer: object = "first"
    try:
        while True:
            try:
                got = yield answer
            except KeyError as error:
                log.append(error)
                answer = f"caught {error}"
            else:
                log.append(got)
                await asyncio.sleep(0)
                if got == "return":
                    return
                if got == "raise":
                    raise LookupError("raised")
                answer = f"got {got}"
    finally:
        await asyncio.sleep(0)
        log.append("cleans up")


_KEY_ERROR, _VALUE_ERROR = KeyError("k"), ValueError("v")
_TALKS: dict[str, list[tuple[str, Any]]] = {
    "nothing": [],
    "closed before it begins": [("close", None), ("next", None)],
    "thrown into before it begins": [("throw", _KEY_ERROR), ("next", None)],
    "sent": [("next", None), ("send", "a"), ("send", None), ("send", ["b"])],
    "returned": [("next", None), ("send", "return"), ("next", None), ("send", "x")],
    "raised": [("next", None), ("send", "raise"), ("next", None)],
    "caught": [("next", None), ("throw", _KEY_ERROR), ("send", "a"), ("throw", _KEY_ERROR), ("close", None)],
    "not caught": [("next", None), ("throw", _VALUE_ERROR), ("next", None)],
    "closed": [("next", None), ("send", "a"), ("close", None), ("close", None), ("next", None)],
    "told to exit": [("next", None), ("throw", GeneratorExit()), ("next", None)],
    "thrown a StopIteration": [("next", None), ("throw", StopIteration()), ("next", None)],
    "thrown a StopAsyncIteration": [("next", None), ("throw", StopAsyncIteration()), ("next", None)],
    "interrupted": [("next", None), ("throw", KeyboardInterrupt()), ("next", None)],
}


def _talk(generator: Any, steps: list[tuple[str, Any]]) -> list[object]:
    seen: list[object] = []
    for name, value in steps:
        try:
            if name == "next":
                seen.append(next(generator))
            elif name == "close":
                seen.append(generator.close())
            else:
                seen.append(getattr(generator, name)(value))
        except BaseException as error:  # noqa: BLE001  whatever it is, it is compared
            seen.append((type(error), str(error)))
    generator.close()
    return seen


async def _talk_later(generator: Any, steps: list[tuple[str, Any]]) -> list[object]:
    names = {"next": "__anext__", "send": "asend", "throw": "athrow", "close": "aclose"}
    seen: list[object] = []
    for name, value in steps:
        arguments = () if name in {"next", "close"} else (value,)
        try:
            seen.append(await getattr(generator, names[name])(*arguments))
        except BaseException as error:  # noqa: BLE001  whatever it is, it is compared
            seen.append((type(error), str(error)))
    await generator.aclose()
    return seen


@pytest.mark.parametrize("steps", _TALKS.values(), ids=_TALKS.keys())
def test_a_generator_is_talked_to_as_without_us(steps: list[tuple[str, Any]], empty: Path) -> None:
    """send(), throw() and close() reach it, and what it yields, returns and raises comes back."""
    plain: list[object] = []
    decorated: list[object] = []

    without = _talk(_talking(plain), steps)
    with_us = _talk(use_cassette(empty)(_talking)(decorated), steps)

    assert (with_us, decorated) == (without, plain)
    assert current_session() is None


@pytest.mark.parametrize("steps", _TALKS.values(), ids=_TALKS.keys())
def test_an_async_generator_is_talked_to_as_without_us(steps: list[tuple[str, Any]], empty: Path) -> None:
    """asend(), athrow() and aclose() likewise."""
    plain: list[object] = []
    decorated: list[object] = []

    without = asyncio.run(_talk_later(_talking_later(plain), steps))
    with_us = asyncio.run(_talk_later(use_cassette(empty)(_talking_later)(decorated), steps))

    assert (with_us, decorated) == (without, plain)
    assert current_session() is None


def test_two_generators_in_turns_keep_their_sessions_apart(tmp_path: Path) -> None:
    """Whichever is left first."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_bytes(header())

    def steps() -> Generator[Path | None]:
        yield _session().path
        yield None

    one, two = use_cassette(paths[0])(steps)(), use_cassette(paths[1])(steps)()
    firsts = [next(one), next(two)]
    one.close()
    inside = _session().path
    two.close()

    assert firsts == paths
    assert inside == paths[1]
    assert current_session() is None


class _Base:
    """A class of tests; those that inherit from it may be decorated, it is not."""

    def test_inherited(self) -> Session | None:
        return current_session()


class _Foreign:
    def test_nothing(self) -> Session | None:
        return current_session()


def _class_of_tests(path: Path) -> Any:
    @use_cassette(path)
    class TestIt(_Base):
        """Its own words."""

        testee = _Foreign
        test_data = ("not", "callable")

        def test_method(self, value: int) -> tuple[int, Session | None]:
            return value, current_session()

        @staticmethod
        def test_static() -> Session | None:
            return current_session()

        @classmethod
        def test_of_class(cls) -> tuple[type[Any], Session | None]:
            return cls, current_session()

        async def test_async(self) -> Session | None:
            return current_session()

        def test_generator(self) -> Generator[Session | None]:
            yield current_session()

        def helper(self) -> Session | None:
            return current_session()

        def setup_method(self) -> Session | None:
            return current_session()

        @property
        def test_property(self) -> Session | None:
            return current_session()

    return TestIt


def test_a_class_has_its_tests_decorated_and_nothing_else(empty: Path) -> None:
    """Methods named test*, of every kind; helpers, fixtures and data stay as they are."""
    decorated: Any = _class_of_tests(empty)
    one = decorated()

    value, in_method = one.test_method(value=7)
    cls, in_class = one.test_of_class()
    inside = [in_method, in_class, one.test_static(), decorated.test_static()]
    inside += [_ran(one.test_async()), *_ran(one.test_generator())]

    assert (decorated.__name__, decorated.__doc__) == ("TestIt", "Its own words.")
    assert (value, cls) == (7, decorated)
    assert len({id(session) for session in inside}) == len(inside)
    assert all(session is not None and session.path == empty for session in inside)
    assert [one.helper(), one.setup_method(), one.test_property] == [None, None, None]
    assert isinstance(vars(decorated)["test_static"], staticmethod)
    assert isinstance(vars(decorated)["test_of_class"], classmethod)
    assert inspect.iscoroutinefunction(one.test_async)
    assert str(inspect.signature(one.test_method)).startswith("(value: ")
    assert decorated.test_data == ("not", "callable")


def test_a_class_has_the_tests_that_it_inherits_decorated_too(empty: Path) -> None:
    """Else they would go live; the class that they come from stays as it is."""
    before = dict(vars(_Base))

    inherited = _class_of_tests(empty)().test_inherited()

    assert inherited is not None
    assert inherited.path == empty
    assert dict(vars(_Base)) == before
    assert _Base().test_inherited() is None


def test_a_class_that_a_class_of_tests_refers_to_stays_as_it_is(empty: Path) -> None:
    """An attribute may be called `testee`, and be anybody's class."""
    before = dict(vars(_Foreign))

    decorated = _class_of_tests(empty)

    assert decorated.testee is _Foreign
    assert dict(vars(_Foreign)) == before
    assert _Foreign().test_nothing() is None


@pytest.mark.parametrize("order", ["outside", "inside", "bare outside", "bare inside"])
def test_methods_of_a_class_are_decorated_on_either_side_of_their_own_decorator(order: str, empty: Path) -> None:
    """`@staticmethod` and `@classmethod` above or below."""
    bare = order.startswith("bare")
    door: Callable[[Any], Any] = use_cassette if bare else use_cassette(empty)

    class It:
        if order.endswith("outside"):

            @door
            @staticmethod
            def static(value: int) -> tuple[int, Session | None]:
                return value, current_session()

            @door
            @classmethod
            def of_class(cls, value: int) -> tuple[type[Any], int, Session | None]:
                return cls, value, current_session()

        else:

            @staticmethod
            @door
            def static(value: int) -> tuple[int, Session | None]:
                return value, current_session()

            @classmethod
            @door
            def of_class(cls, value: int) -> tuple[type[Any], int, Session | None]:
                return cls, value, current_session()

    it: Any = It
    if bare:
        for method in (it.static, it.of_class, it().of_class):
            with pytest.raises(intercept.CassetteError, match="no such cassette"):
                method(1)
    else:
        value, in_static = it().static(1)
        cls, other, in_class = it.of_class(2)
        assert (value, cls, other) == (1, It, 2)
        assert (in_static.path, in_class.path) == (empty, empty)


def test_a_unittest_class_is_decorated(empty: Path) -> None:
    """SetUp stays outside; each test is a session of its own."""
    sessions: list[Session | None] = []

    @use_cassette(empty)
    class Case(unittest.TestCase):
        def setUp(self) -> None:
            sessions.append(current_session())

        def test_one(self) -> None:
            sessions.append(_session())

        def test_two(self) -> None:
            sessions.append(_session())

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)

    outside_one, one, outside_two, two = sessions
    assert (result.testsRun, result.wasSuccessful()) == (2, True)
    assert (outside_one, outside_two) == (None, None)
    assert one is not two


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


@pytest.fixture
def recorded(provider: Provider, cassette: Path) -> Path:
    """A cassette of two answers to one question."""
    with use_cassette(cassette, mode="record"):
        CALLERS[0].run(_asked_twice, CALLERS[0].client(provider.url))
    return cassette


async def _asked_twice(client: Any) -> list[str]:
    return [said(await ask(client)), said(await ask(client))]


@pytest.mark.parametrize("how", ["block", "decorator"])
def test_one_door_is_gone_through_by_many_threads_at_once(how: str, recorded: Path, canary: Canary) -> None:
    """Each has a session of its own, so each is answered from the first row on."""
    together = threading.Barrier(8)
    door = use_cassette(recorded)

    def asked() -> list[str]:
        together.wait(10)
        answers: list[str] = CALLERS[0].run(_asked_twice, CALLERS[0].client(canary.url))
        together.wait(10)
        return answers

    def through(_: int) -> list[str]:
        if how == "decorator":
            return door(asked)()
        with door:
            return asked()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(through, range(8)))

    assert answers == [["Reply 1 to: hi", "Reply 2 to: hi"]] * 8
    assert current_session() is None


@pytest.mark.parametrize("how", ["block", "async block", "decorator", "decorated generator"])
def test_one_door_is_gone_through_by_many_tasks_at_once(how: str, recorded: Path, canary: Canary) -> None:
    """However they take turns."""
    door = use_cassette(recorded)
    waiting: list[asyncio.Event] = []

    async def asked(client: Any) -> list[str]:
        answers = [said(await ask(client))]
        waiting.append(asyncio.Event())
        if len(waiting) == 8:
            for event in reversed(waiting):
                event.set()
        await waiting[-1].wait()
        return [*answers, said(await ask(client))]

    async def steps(client: Any) -> AsyncGenerator[list[str]]:
        yield await asked(client)

    async def through(client: Any) -> list[str]:
        if how == "decorator":
            return await door(asked)(client)
        if how == "decorated generator":
            return [answer async for answers in door(steps)(client) for answer in answers]
        if how == "async block":
            async with door:
                return await asked(client)
        with door:
            return await asked(client)

    async def everybody() -> list[list[str]]:
        async with CALLERS[1].client(canary.url) as client:
            return await asyncio.gather(*(through(client) for _ in range(8)))

    assert asyncio.run(everybody()) == [["Reply 1 to: hi", "Reply 2 to: hi"]] * 8
    assert current_session() is None


def test_a_door_may_be_gone_through_inside_of_itself(empty: Path) -> None:
    """A decorated function may call itself."""

    @use_cassette(empty)
    def deep(levels: int) -> list[Session]:
        return [_session(), *(deep(levels - 1) if levels else [])]

    sessions = deep(3)

    assert len({id(session) for session in sessions}) == 4
    assert all(session.ended for session in sessions)
    assert current_session() is None


_SUITE = """
    import unittest
    import pytest
    from intercept import current_session, use_cassette

    CASSETTE = "x.jsonl"

    def inside():
        session = current_session()
        return session is not None and session.path.name == CASSETTE

    def outside():
        return current_session() is None

    @pytest.fixture
    def number():
        assert outside()
        return 7

    @pytest.fixture
    @use_cassette(CASSETTE)
    def taped(number):
        assert inside()
        yield number
        assert inside()

    @pytest.fixture
    @use_cassette(CASSETTE)
    def returned(number):
        assert inside()
        return number

    @use_cassette(CASSETTE)
    def test_fixture(number, tmp_path, request):
        assert inside() and number == 7 and request.node.name == "test_fixture"

    @use_cassette(CASSETTE)
    @pytest.mark.parametrize("value", [1, "two", None], ids=["one", "a/b", ""])
    @pytest.mark.parametrize("other", [0.5])
    def test_parameters_below(value, other, number):
        assert inside() and other == 0.5

    @pytest.mark.parametrize("value", [1, "two"])
    @use_cassette(CASSETTE)
    def test_parameters_above(number, value):
        assert inside()

    @pytest.mark.xfail(reason="marks are kept", strict=True)
    @use_cassette(CASSETTE)
    def test_mark_above():
        assert not inside()

    @use_cassette(CASSETTE)
    @pytest.mark.skip(reason="marks are kept")
    def test_mark_below():
        raise AssertionError

    @use_cassette(CASSETTE)
    def test_defaults(number, default=3, *, keyword=4):
        assert inside() and (number, default, keyword) == (7, 3, 4)

    @use_cassette(CASSETTE)
    def test_keyword_only_fixture(*, number):
        assert inside() and number == 7

    def test_taped_fixture(taped):
        assert inside() and taped == 7

    def test_returned_fixture(returned):
        assert outside() and returned == 7

    @use_cassette(CASSETTE)
    class TestIt:
        @pytest.fixture
        def own(self):
            assert outside()
            return 5

        def test_method(self, own, number):
            assert inside() and (own, number) == (5, 7)

        @pytest.mark.parametrize("value", ["x", "y"])
        def test_parameters(self, value):
            assert inside()

        @staticmethod
        def test_static(number):
            assert inside() and number == 7

        @classmethod
        def test_of_class(cls, number):
            assert inside() and cls.__name__ == "TestIt"

    @use_cassette(CASSETTE)
    class TestCase(unittest.TestCase):
        def test_method(self):
            assert inside()

    @use_cassette(CASSETTE)
    def test_skips_itself():
        pytest.skip("inside")

    @use_cassette
    def test_without_a_cassette():
        raise AssertionError("it must not run")
"""


_OUTCOME = re.compile(r"test_suite\.py::(.+?) (PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b")


def _suite(folder: Path, source: str, *options: str) -> str:
    """Run a suite; return what pytest says of it."""
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    (folder / "x.jsonl").write_bytes(header())
    (folder / "test_suite.py").write_text(dedent(source), encoding="utf-8")
    return python("-m", "pytest", "-p", "no:cacheprovider", *options, cwd=folder).stdout


@pytest.mark.slow
def test_pytest_takes_decorated_tests_as_if_they_were_not(tmp_path: Path) -> None:
    """Fixtures, parameters, marks, defaults, classes; the names of all tests are those without us."""
    plain = _SUITE.replace("@use_cassette(CASSETTE)", "").replace("@use_cassette\n", "\n")
    collected = _suite(tmp_path / "without", plain, "--collect-only", "-q")

    told = _suite(tmp_path / "with", _SUITE, "-v")

    outcomes = dict(_OUTCOME.findall(told))
    names = [line.partition("test_suite.py::")[2] for line in collected.splitlines() if "::" in line]
    assert list(outcomes) == names
    assert len(names) == 20
    assert {name: outcome for name, outcome in outcomes.items() if outcome != "PASSED"} == {
        "test_mark_above": "XFAIL",
        "test_mark_below": "SKIPPED",
        "test_skips_itself": "SKIPPED",
        "test_without_a_cassette": "FAILED",
    }, told


def test_a_test_is_decorated_once_however_many_classes_say_so(empty: Path) -> None:
    """A decorated class may inherit from a decorated class, or hold a test that is decorated on its own."""
    door = use_cassette(empty, mode="off")

    @door
    class Above:
        def test_above(self) -> object:
            return current_session()

    @door
    class Below(Above):
        @use_cassette(empty, mode="off")
        def test_own(self) -> object:
            return None

    assert vars(Below).keys() & {"test_above", "test_own"} == {"test_own"}
    assert not hasattr(inspect.unwrap(Below.test_own), "__wrapped__")
    assert inspect.unwrap(Below.test_own) is vars(Below)["test_own"].__wrapped__


def test_a_partial_function_is_decorated_and_what_is_no_function_is_refused(empty: Path) -> None:
    """By a typed error that says so."""

    def add(one: int, two: int) -> int:
        return one + two

    assert use_cassette(empty)(functools.partial(add, 1))(2) == 3
    with pytest.raises(TypeError, match="decorates functions and classes of tests"):
        use_cassette(empty)(len)
