"""Where a cassette lies: below the project, never by the working directory, under a name that every system takes."""

from __future__ import annotations

import asyncio
import inspect
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import intercept
from intercept import runs
from intercept.paths import safe
from tests.core.programs import python, run

_SAFE = re.compile(r"[A-Za-z0-9._-]+")
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{name}{n}" for name in ("COM", "LPT") for n in range(10))}


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program, not a test run; the tests that are about runs say so."""
    monkeypatch.setattr(runs, "current", None)
    monkeypatch.delenv("PYTEST_CURRENT_TEST")


def _module(file: Path, source: str) -> dict[str, Any]:
    """Run code as the module that lies in this file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(source), encoding="utf-8")
    names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file), "intercept": intercept}
    exec(compile(dedent(source), str(file), "exec"), names)  # noqa: S102  a module of the test's own
    return names


_OPEN = """
    def where(cassette=None):
        with intercept.use_cassette(cassette, mode="off") as session:
            return session.path
"""


def _missing(function: Any, *arguments: Any) -> Path:
    """Run a decorated function until it wants its cassette, which is not there; return where it looked."""
    with pytest.raises(intercept.CassetteError) as caught:
        _finished(function(*arguments))
    return Path(caught.value.where)


def _finished(result: Any) -> None:
    if inspect.isawaitable(result):

        async def awaited() -> None:
            await result

        asyncio.run(awaited())
    elif inspect.isasyncgen(result):

        async def iterated() -> None:
            async for _ in result:
                pass

        asyncio.run(iterated())
    elif inspect.isgenerator(result):
        list(result)


@pytest.mark.parametrize("cwd", [".", "tests", "..", "/"])
def test_a_relative_path_starts_at_the_project(cwd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest folder above the calling file with a pyproject.toml, from wherever it is run."""
    project = tmp_path / "outer" / "project"
    (project / "tests").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_bytes(b"")
    (project / "pyproject.toml").write_bytes(b"")
    module = _module(project / "src" / "deep" / "app.py", _OPEN)
    monkeypatch.chdir(project / cwd)

    assert module["where"]("chat.jsonl") == project / "chat.jsonl"
    assert module["where"](Path("a/b") / "chat.jsonl") == project / "a" / "b" / "chat.jsonl"
    assert module["where"]("./a/../chat") == project / "chat"
    assert module["where"](tmp_path / "absolute.jsonl") == tmp_path / "absolute.jsonl"


def test_without_a_project_a_relative_path_starts_at_the_calling_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script on its own keeps its cassettes beside it."""
    if any((above / "pyproject.toml").exists() for above in tmp_path.parents):
        pytest.skip("the folder for temporary files lies in a project")
    module = _module(tmp_path / "script" / "app.py", _OPEN)
    monkeypatch.chdir("/")

    assert module["where"]("chat.jsonl") == tmp_path / "script" / "chat.jsonl"


def test_in_a_test_run_a_relative_path_starts_at_its_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies between it and the file."""
    (tmp_path / "run" / "plugin").mkdir(parents=True)
    (tmp_path / "run" / "plugin" / "pyproject.toml").write_bytes(b"")
    module = _module(tmp_path / "run" / "plugin" / "helper.py", _OPEN)
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path / "run"))

    assert module["where"]("chat.jsonl") == tmp_path / "run" / "chat.jsonl"


def test_a_decorated_function_of_another_module_keeps_its_own_project(tmp_path: Path) -> None:
    """The file that holds the function counts, not the one that calls it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_bytes(b"")
    one = _module(tmp_path / "one" / "app.py", '@intercept.use_cassette("x.jsonl")\ndef answer(): pass\n')
    two = _module(tmp_path / "two" / "app.py", "def call(function): return function()\n")

    assert _missing(two["call"], one["answer"]) == tmp_path / "one" / "x.jsonl"


def test_a_program_run_from_elsewhere_finds_its_cassette(tmp_path: Path) -> None:
    """In a process of its own; code without a file has only the working directory."""
    (tmp_path / "project" / "src").mkdir(parents=True)
    (tmp_path / "project" / "pyproject.toml").write_bytes(b"")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    source = (
        'import intercept\nwith intercept.use_cassette("chat.jsonl", mode="off") as session: print(session.path)\n'
        'with intercept.use_cassette(mode="off") as session: print(session.path)\n'
    )

    program = run(tmp_path / "project" / "src", source, cwd=elsewhere, name="app.py")
    console = python("-c", source, cwd=elsewhere)

    assert program.stdout.splitlines() == [
        str(tmp_path / "project" / "chat.jsonl"),
        str(tmp_path / "project" / "cassettes" / "src" / "app" / Path(program.stdout.splitlines()[1]).name),
    ]
    assert console.stdout.splitlines()[0] == str(elsewhere / "chat.jsonl")
    default = Path(console.stdout.splitlines()[1])
    assert default.is_relative_to(elsewhere / "cassettes")
    assert all(map(_SAFE.fullmatch, default.relative_to(elsewhere).parts))


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
    module = _module(tmp_path / "tests" / "unit" / "test_it.py", _FUNCTIONS)

    assert _missing(module[name]) == tmp_path / "cassettes" / "tests" / "unit" / "test_it" / file


def test_a_block_names_its_cassette_after_the_function_it_stands_in(tmp_path: Path) -> None:
    """Like a decorated one."""
    (tmp_path / "pyproject.toml").write_bytes(b"")
    module = _module(tmp_path / "app.py", _OPEN)

    assert module["where"]() == tmp_path / "cassettes" / "app" / "where.jsonl"


def test_blocks_in_methods_of_one_name_have_cassettes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two classes may each have a `test_answer`; one must not be answered from, or replace, the other's recording."""
    module = _module(
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


@pytest.fixture
def test_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A module of a test run, with the same functions decorated and with blocks in them."""
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))
    return _module(
        tmp_path / "tests" / "test_it.py",
        """
        @intercept.use_cassette
        def test_it(value=None): pass

        @intercept.use_cassette
        def test_other(value=None): test_it()

        class TestIt:
            @intercept.use_cassette
            def test_it(self, value=None): pass

        def helper():
            with intercept.use_cassette(mode="off") as session:
                return session.path

        def test_block(value=None):
            with intercept.use_cassette(mode="off") as session:
                return session.path
        """,
    )


def test_parameters_are_part_of_the_name(
    test_module: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the test that runs; a helper or a test that is called by another has none."""
    folder = tmp_path / "cassettes" / "tests" / "test_it"

    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_it.py::test_it[gpt-4o-1] (call)")
    assert _missing(test_module["test_it"]) == folder / "test_it-gpt-4o-1.jsonl"
    assert _missing(test_module["test_other"]) == folder / "test_other.jsonl"
    assert test_module["helper"]() == folder / "helper.jsonl"

    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_it.py::TestIt::test_it[gpt-4o] (setup)")
    assert _missing(test_module["TestIt"]().test_it) == folder / "TestIt.test_it-gpt-4o.jsonl"

    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_it.py::test_block[x] (call)")
    assert test_module["test_block"]() == folder / "test_block-x.jsonl"


_HOSTILE = [
    "a/b",
    "../x",
    "../../../../../../etc/passwd",
    "/etc/passwd",
    "c:\\d",
    "..\\x",
    "x" * 400,
    "x" * 399 + "y",
    "é" * 300,
    "q?*<>|",
    'a"b',
    "CON",
    "nul",
    "",
    "é",
    "e\u0301",
    "你好",
    "👋",
    "a b",
    " ",
    ".",
    "..",
    "...",
    "x.",
    "x",
    "x ",
    ".x",
    "_x",
    "x_",
    "-x",
    "x-",
    "[x",
    "x]",
    "x[y]",
    "x-y",
    "x[y",
    "a (call)",
    "::test_it[x]",
    "a\nb",
    "a\tb",
    "$HOME",
    "`id`",
    "%2e%2e%2f",
    "~",
    "a;b",
    "a:b",
]


def _is_portable(path: Path) -> bool:
    """Whether every system takes the names of this file, and of those that recording makes beside it."""
    stem = path.name.removesuffix(".jsonl")
    return (
        bool(_SAFE.fullmatch(path.name))
        and 0 < len(path.name.encode()) <= 255 - len(".") - len(".4194304.new")
        and not stem.startswith(".")
        and not stem.endswith((".", " "))
        and stem.partition(".")[0].upper() not in _DEVICES
    )


def test_no_parameter_leads_out_of_the_folder(
    test_module: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor to a name that some system refuses, nor to that of another test."""
    folder = tmp_path / "cassettes" / "tests" / "test_it"
    found: dict[str, Path] = {}
    for parameter in _HOSTILE:
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"tests/test_it.py::test_it[{parameter}] (call)")
        found[parameter] = _missing(test_module["test_it"])

    assert {parameter: path for parameter, path in found.items() if path.parent != folder} == {}
    assert {parameter: path.name for parameter, path in found.items() if not _is_portable(path)} == {}
    assert _twins({parameter: path.name for parameter, path in found.items()}) == []
    assert not folder.exists()


def _twins(names: dict[str, str]) -> list[list[str]]:
    """Return the parameters that share a name."""
    by_name: dict[str, list[str]] = {}
    for parameter, name in names.items():
        by_name.setdefault(name, []).append(parameter)
    return [parameters for parameters in by_name.values() if len(parameters) > 1]


def test_parameters_that_differ_in_case_alone_are_told_apart_where_case_does_not_count(
    test_module: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS and Windows `A` and `a` are one file, and a repository is shared between systems."""
    names: dict[str, str] = {}
    for parameter in ("gpt", "GPT", "Gpt"):
        monkeypatch.setenv("PYTEST_CURRENT_TEST", f"tests/test_it.py::test_it[{parameter}] (call)")
        names[parameter] = _missing(test_module["test_it"]).name.lower()

    assert _twins(names) == []


@pytest.mark.parametrize("name", ["con", "CON", "nul", "aux", "prn", "com1", "LPT9", "con.x", "Aux.method"])
def test_no_file_is_named_as_a_device(name: str) -> None:
    """Windows takes `aux.jsonl`, and `aux.partial.jsonl`, for the device."""
    assert _is_portable(Path(f"{safe(name)}.jsonl"))


_identifiers = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,8}(\.[a-zA-Z_][a-zA-Z0-9_]{0,8})?", fullmatch=True)
_identifiers_of_any_script = st.text(min_size=1, max_size=12).filter(str.isidentifier)
_parameters = st.text(max_size=6) | st.text("ab-[]._ /", max_size=6) | st.text("a", min_size=60, max_size=120)
_tests = st.builds("{}[{}]".format, _identifiers, _parameters) | _identifiers | _identifiers_of_any_script


@given(name=_tests)
def test_the_name_of_any_test_is_a_name_for_a_file(name: str) -> None:
    """On every system, whatever it is."""
    assert _is_portable(Path(f"{safe(name)}.jsonl"))


@given(one=_tests, other=_tests)
def test_two_tests_never_share_a_file(one: str, other: str) -> None:
    """What is lost of a name, a digest makes up for."""
    assert (safe(one) == safe(other)) == (one == other)


@pytest.mark.parametrize(("one", "other"), [("test[a[b]", "test[a-b]"), ("test[-a]", "test[[a]")])
def test_brackets_in_parameters_are_no_hyphens(one: str, other: str) -> None:
    """Only the bracket that begins the parameters may become one."""
    assert safe(one) != safe(other)


def test_in_a_real_run_every_parameter_has_a_cassette_inside_the_folder(tmp_path: Path) -> None:
    """As pytest writes the ids, from a working directory elsewhere."""
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (project / "tests").mkdir(parents=True)
    elsewhere.mkdir()
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")  # or pytest 8.0 sees no root here
    (project / "tests" / "test_it.py").write_text(
        dedent(
            f"""
            import pytest
            import intercept

            IDS = {[text for text in _HOSTILE if text]!r}

            @pytest.mark.parametrize("value", IDS, ids=IDS)
            def test_it(value):
                with intercept.use_cassette(mode="off") as session:
                    print("PATH", session.path)
            """
        ),
        encoding="utf-8",
    )

    ran = python("-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(project / "tests"), cwd=elsewhere)

    paths = [Path(line.partition("PATH ")[2]) for line in ran.stdout.splitlines() if "PATH " in line]
    assert ran.returncode == 0, ran.stdout
    assert {path.parent for path in paths} == {project / "cassettes" / "tests" / "test_it"}
    assert len(set(paths)) == len(paths) == len(_HOSTILE) - 1
    assert all(map(_is_portable, paths))
    assert list(elsewhere.iterdir()) == []
