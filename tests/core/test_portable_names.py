"""Parameters in the names of cassettes: every name stays in its folder, is one test's alone, and suits every system."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept import runs
from intercept.paths import safe
from tests.core.modules import SAFE, as_module, missing
from tests.core.programs import python

pytestmark = pytest.mark.usefixtures("a_program")

_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{name}{n}" for name in ("COM", "LPT") for n in range(10))}


@pytest.fixture
def test_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A module of a test run, with the same functions decorated and with blocks in them."""
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))
    return as_module(
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
    assert missing(test_module["test_it"]) == folder / "test_it-gpt-4o-1.jsonl"
    assert missing(test_module["test_other"]) == folder / "test_other.jsonl"
    assert test_module["helper"]() == folder / "helper.jsonl"

    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_it.py::TestIt::test_it[gpt-4o] (setup)")
    assert missing(test_module["TestIt"]().test_it) == folder / "TestIt.test_it-gpt-4o.jsonl"

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
        bool(SAFE.fullmatch(path.name))
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
        found[parameter] = missing(test_module["test_it"])

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
        names[parameter] = missing(test_module["test_it"]).name.lower()

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


@pytest.mark.slow
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
