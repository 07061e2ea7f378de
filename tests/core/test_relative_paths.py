"""Where a relative path starts: at the project of the file that gives it, never at the working directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from intercept import runs
from tests.core.modules import OPEN, SAFE, as_module, missing
from tests.core.programs import python, run

pytestmark = pytest.mark.usefixtures("a_program")


@pytest.mark.parametrize("cwd", [".", "tests", "..", "/"])
def test_a_relative_path_starts_at_the_project(cwd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest folder above the calling file with a pyproject.toml, from wherever it is run."""
    project = tmp_path / "outer" / "project"
    (project / "tests").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_bytes(b"")
    (project / "pyproject.toml").write_bytes(b"")
    module = as_module(project / "src" / "deep" / "app.py", OPEN)
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
    module = as_module(tmp_path / "script" / "app.py", OPEN)
    monkeypatch.chdir("/")

    assert module["where"]("chat.jsonl") == tmp_path / "script" / "chat.jsonl"


def test_in_a_test_run_a_relative_path_starts_at_its_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies between it and the file."""
    (tmp_path / "run" / "plugin").mkdir(parents=True)
    (tmp_path / "run" / "plugin" / "pyproject.toml").write_bytes(b"")
    module = as_module(tmp_path / "run" / "plugin" / "helper.py", OPEN)
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path / "run"))

    assert module["where"]("chat.jsonl") == tmp_path / "run" / "chat.jsonl"


def test_a_decorated_function_of_another_module_keeps_its_own_project(tmp_path: Path) -> None:
    """The file that holds the function counts, not the one that calls it."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_bytes(b"")
    one = as_module(tmp_path / "one" / "app.py", '@intercept.use_cassette("x.jsonl")\ndef answer(): pass\n')
    two = as_module(tmp_path / "two" / "app.py", "def call(function): return function()\n")

    assert missing(two["call"], one["answer"]) == tmp_path / "one" / "x.jsonl"


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
    assert all(map(SAFE.fullmatch, default.relative_to(elsewhere).parts))
