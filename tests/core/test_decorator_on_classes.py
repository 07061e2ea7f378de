"""`use_cassette` on classes of tests and on methods: the tests are decorated, and nothing else."""

from __future__ import annotations

import inspect
import unittest
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import Session, current_session, use_cassette
from tests.core.running import ran, session_here


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
    inside += [ran(one.test_async()), *ran(one.test_generator())]

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
            sessions.append(session_here())

        def test_two(self) -> None:
            sessions.append(session_here())

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)

    outside_one, one, outside_two, two = sessions
    assert (result.testsRun, result.wasSuccessful()) == (2, True)
    assert (outside_one, outside_two) == (None, None)
    assert one is not two


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
