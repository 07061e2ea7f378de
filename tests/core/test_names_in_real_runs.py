"""The names of cassettes as real pytest runs make them: to the letter, whichever version it is."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from intercept import runs
from tests.core.programs import python

pytestmark = pytest.mark.slow

_TESTS = """
    import enum

    import intercept
    import pytest

    pytestmark = pytest.mark.xdist_group("group")


    class Colour(enum.Enum):
        RED = 1


    class Opaque:
        pass


    @pytest.fixture(autouse=True)
    def told(request):
        request.node.told = []
        yield
        [path] = request.node.told
        with open(request.config.rootpath / "names.txt", "a") as file:
            print(request.node.nodeid.partition("::")[2].removesuffix("@group"), path, file=file)


    @pytest.fixture(params=["fast", "Slow", 3])
    def speed(request):
        return request.param


    @pytest.fixture(params=[object(), object()])
    def thing(request):
        return request.param


    def tell(request):
        path = intercept.current_session().path
        request.node.told.append(path.relative_to(request.config.rootpath).as_posix())


    parametrize, use = pytest.mark.parametrize, intercept.use_cassette(mode="record")
"""
_EXPECTED = {
    "def test_plain(request)": {"test_plain": "test_plain"},
    '@parametrize("a", [1, 2.5, None])\n@parametrize("b", ["x", "X", b"y"])\ndef test_stacked(a, b, request)': {
        "test_stacked[x-1]": "test_stacked-x-1",
        "test_stacked[x-2.5]": "test_stacked-x-2.5",
        "test_stacked[x-None]": "test_stacked-x-None-40b62a8a",
        "test_stacked[X-1]": "test_stacked-X-1-13b1f5e0",
        "test_stacked[X-2.5]": "test_stacked-X-2.5-0168cfd5",
        "test_stacked[X-None]": "test_stacked-X-None-24cbce08",
        "test_stacked[y-1]": "test_stacked-y-1",
        "test_stacked[y-2.5]": "test_stacked-y-2.5",
        "test_stacked[y-None]": "test_stacked-y-None-21a354d8",
    },
    '@parametrize("v", [Colour.RED, Opaque(), [1], {"a": 1}, Opaque, -1, 1e100, 1j])\ndef test_any(v, request)': {
        "test_any[Colour.RED]": "test_any-Colour.RED-9e87331c",
        "test_any[v1]": "test_any-v1",
        "test_any[v2]": "test_any-v2",
        "test_any[v3]": "test_any-v3",
        "test_any[Opaque]": "test_any-Opaque-5071bbac",
        "test_any[-1]": "test_any--1",
        "test_any[1e+100]": "test_any-1e_100-aea7b163",
        "test_any[1j]": "test_any-1j",
    },
    '@parametrize("v", ["a/b", "../x", "", "ü", "a b", "CON", "x."])\ndef test_text(v, request)': {
        "test_text[a/b]": "test_text-a_b-0e66b935",
        "test_text[../x]": "test_text-.._x-d87bcb91",
        "test_text[]": "test_text--90fe5df7",
        "test_text[\\xfc]": "test_text-_xfc-de117820",
        "test_text[a b]": "test_text-a_b-fefdc055",
        "test_text[CON]": "test_text-CON-6f2f733c",
        "test_text[x.]": "test_text-x-7e6de2fa",
    },
    '@parametrize("v", [1, 2, 3, 4], ids=["one", "one", "Two", "a::b[c]"])\ndef test_ids(v, request)': {
        "test_ids[one0]": "test_ids-one0",
        "test_ids[one1]": "test_ids-one1",
        "test_ids[Two]": "test_ids-Two-3fd0659a",
        "test_ids[a::b[c]]": "test_ids-a_b_c-c45d39cb",
    },
    '@parametrize("v", [1, pytest.param(2, id="@x")], ids=lambda v: f"v{v}")\ndef test_made(v, request)': {
        "test_made[v1]": "test_made-v1",
        "test_made[@x]": "test_made-_x-aeb98f2a",
    },
    '@parametrize("v", ["a", "a", "a0"])\ndef test_twice(v, request)': {
        "test_twice[a1]": "test_twice-a1",
        "test_twice[a2]": "test_twice-a2",
        "test_twice[a0]": "test_twice-a0",
    },
    "def test_fixture(speed, thing, request)": {
        "test_fixture[fast-thing0]": "test_fixture-fast-thing0",
        "test_fixture[fast-thing1]": "test_fixture-fast-thing1",
        "test_fixture[Slow-thing0]": "test_fixture-Slow-thing0-b3d3ad12",
        "test_fixture[Slow-thing1]": "test_fixture-Slow-thing1-2da6652b",
        "test_fixture[3-thing0]": "test_fixture-3-thing0",
        "test_fixture[3-thing1]": "test_fixture-3-thing1",
    },
    '@parametrize("speed", ["other"], indirect=True)\ndef test_indirect(speed, request)': {
        "test_indirect[other]": "test_indirect-other"
    },
}
_CLASSES = """

    @parametrize("v", ["x"])
    class TestIt:
        @use
        def test_method(self, v, speed, request): tell(request)

        class TestDeep:
            @use
            def test_method(self, v, request): tell(request)
"""
_EXPECTED_OF_CLASSES = {
    "TestIt::test_method[fast-x]": "TestIt.test_method-fast-x",
    "TestIt::test_method[Slow-x]": "TestIt.test_method-Slow-x-011e1331",
    "TestIt::test_method[3-x]": "TestIt.test_method-3-x",
    "TestIt::TestDeep::test_method[x]": "TestIt.TestDeep.test_method-x",
}
EXPECTED = {test: name for names in (*_EXPECTED.values(), _EXPECTED_OF_CLASSES) for test, name in names.items()}


def _project(folder: Path) -> Path:
    """Write the tests into a project."""
    tests = folder / "tests" / "sub"
    tests.mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['xdist_group']\n")
    functions = "".join(f"\n\n@use\n{head}: tell(request)\n" for head in _EXPECTED)
    source = dedent(_TESTS) + functions + dedent(_CLASSES)
    (tests / "test_it.py").write_text(source, encoding="utf-8")
    return folder


def _names(project: Path, *options: str, cwd: Path) -> dict[str, str]:
    """Run the tests; return which cassette each has."""
    ran = python("-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(project / "tests"), cwd=cwd)
    assert ran.returncode == 0, ran.stdout
    lines = (project / "names.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.rpartition(" ") for line in lines]
    return {test: path for test, _, path in parts}


def test_each_test_of_a_run_has_the_same_cassette_everywhere(tmp_path: Path) -> None:
    """What lies in a repository is found again, by whichever pytest and through whichever link it is run."""
    (tmp_path / "link").symlink_to(_project(tmp_path / "project"))

    names = _names(tmp_path / "link", cwd=tmp_path)

    assert names == {test: f"cassettes/tests/sub/test_it/{name}.jsonl" for test, name in EXPECTED.items()}


@pytest.mark.slow
def test_groups_of_workers_are_no_part_of_a_name(tmp_path: Path) -> None:
    """With `--dist loadgroup`, pytest-xdist writes them behind the names of tests."""
    pytest.importorskip("xdist")

    names = _names(_project(tmp_path / "project"), "-n", "1", "--dist", "loadgroup", cwd=tmp_path)

    assert names == {test: f"cassettes/tests/sub/test_it/{name}.jsonl" for test, name in EXPECTED.items()}


@pytest.mark.parametrize("test", ["test_it", "test_it[a]", "test_it[a@b]", "TestIt::test_it[a::b@c[d]]", "test_it[@]"])
@pytest.mark.parametrize("group", ["", "@group", "@a-b.c::d"])
def test_a_group_is_taken_off_and_nothing_else(test: str, group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parameter may look like one."""
    monkeypatch.setenv("PYTEST_CURRENT_TEST", f"tests/@x/test_it.py::{test}{group} (call)")

    assert runs.running_test() == f"tests/@x/test_it.py::{test}"


def test_names_are_safe_short_and_distinct_even_where_case_does_not_count() -> None:
    """Those above, which are what real runs make."""
    names = list(EXPECTED.values())

    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9_.-]+", name)] == []
    assert max(len(f"{name}.jsonl".encode()) for name in names) <= 120
    assert len({name.lower() for name in names}) == len(names)
