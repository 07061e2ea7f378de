"""Decorated tests in a run of pytest: fixtures, parameters and marks work as if they were plain."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from tests.core.handmade import header
from tests.core.programs import python

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
