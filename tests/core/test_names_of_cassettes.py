"""A cassette without a path is named after its function, with the classes that the function stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from intercept import runs
from tests.core.modules import OPEN, as_module, missing

pytestmark = pytest.mark.usefixtures("a_program")

_FUNCTIONS = """
    import functools

    use = intercept.use_cassette

    def logged(function):
        @functools.wraps(function)
        def run(*args): return function(*args)
        return run

    @use
    def plain(): pass

    @use()
    def called(): pass

    @use(mode="replay")
    async def asynchronous(): pass

    @use
    def generator(): yield

    @use
    async def asynchronous_generator(): yield

    @use
    @logged
    def wrapped(): pass

    @logged
    @use
    def wrapping(): pass

    def outer():
        @use
        def inner(): pass
        return inner
    inner = outer()

    class TestIt:
        @use
        def method(self): pass

        @staticmethod
        @use
        def static(): pass

        @use
        @classmethod
        def of_class(cls): pass

        class TestDeeper:
            @use
            def method(self): pass

    @use
    class TestAll:
        def test_one(self): pass
        async def test_two(self): pass

    class TestOther:
        @use
        def method(self): pass

    method, static, of_class = TestIt().method, TestIt.static, TestIt.of_class
    deeper, other = TestIt.TestDeeper().method, TestOther().method
    one, two = TestAll().test_one, TestAll().test_two
"""


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("plain", "plain.jsonl"),
        ("called", "called.jsonl"),
        ("asynchronous", "asynchronous.jsonl"),
        ("generator", "generator.jsonl"),
        ("asynchronous_generator", "asynchronous_generator.jsonl"),
        ("wrapped", "wrapped.jsonl"),
        ("wrapping", "wrapping.jsonl"),
        ("inner", "outer.inner.jsonl"),
        ("method", "TestIt.method.jsonl"),
        ("static", "TestIt.static.jsonl"),
        ("of_class", "TestIt.of_class.jsonl"),
        ("deeper", "TestIt.TestDeeper.method.jsonl"),
        ("other", "TestOther.method.jsonl"),
        ("one", "TestAll.test_one.jsonl"),
        ("two", "TestAll.test_two.jsonl"),
    ],
)
def test_a_decorated_function_names_its_cassette(name: str, file: str, tmp_path: Path) -> None:
    """By the path of its file and its own name, with the classes it stands in."""
    (tmp_path / "pyproject.toml").write_bytes(b"")
    module = as_module(tmp_path / "tests" / "unit" / "test_it.py", _FUNCTIONS)

    assert missing(module[name]) == tmp_path / "cassettes" / "tests" / "unit" / "test_it" / file


def test_a_block_names_its_cassette_after_the_function_it_stands_in(tmp_path: Path) -> None:
    """Like a decorated one."""
    (tmp_path / "pyproject.toml").write_bytes(b"")
    module = as_module(tmp_path / "app.py", OPEN)

    assert module["where"]() == tmp_path / "cassettes" / "app" / "where.jsonl"


def test_blocks_in_methods_of_one_name_have_cassettes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two classes may each have a `test_answer`; one must not be answered from, or replace, the other's recording."""
    module = as_module(
        tmp_path / "test_it.py",
        """
        class TestOne:
            def test_answer(self):
                with intercept.use_cassette(mode="off") as session:
                    return session.path

        class TestTwo:
            def test_answer(self):
                with intercept.use_cassette(mode="off") as session:
                    return session.path
        """,
    )
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))

    paths: list[Path] = []
    for name in ("TestOne", "TestTwo"):
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"test_it.py::{name}::test_answer (call)")
        paths.append(module[name]().test_answer())

    assert paths == [
        tmp_path / "cassettes" / "test_it" / f"{name}.test_answer.jsonl" for name in ("TestOne", "TestTwo")
    ]
