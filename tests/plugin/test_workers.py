"""One test run in several processes: pytest-xdist's workers, and programs that tests start, record together."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from intercept.rescue import rescue
from tests.conformance.callers import live_environment
from tests.plugin.test_runs import project_of, run

_OFFLINE = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
_TESTS = """
import os, pathlib, subprocess, sys
import openai, pytest
import intercept

COUNT = int(pathlib.Path(__file__).with_name("count").read_text())

def ask(text):
    reply = openai.OpenAI().chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    return reply.choices[0].message.content

def same_again(name, text):
    told, kept = ask(text), pathlib.Path(__file__).with_name(name)
    if os.environ.get("RECORDING"):
        kept.write_text(told)
    assert told == kept.read_text()

@pytest.mark.parametrize("number", range(COUNT))
@intercept.use_cassette("cassettes/shared.jsonl")
def test_shared(number):
    same_again(f"shared-{number}", f"question {number // 2}")

@pytest.mark.parametrize("number", range(COUNT))
@intercept.use_cassette
def test_own(number):
    same_again(f"own-{number}", "the same")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with tests of its own."""
    return project_of(tmp_path, _TESTS)


def _rows(project: Path) -> dict[str, int]:
    """Return how many rows each file in the folder of cassettes has; all must be valid."""
    paths = sorted((project / "cassettes").rglob("*.jsonl"))
    assert [fault for path in paths for fault in intercept.validate(path)] == []
    return {path.name: path.read_bytes().count(b"\n") - 1 for path in paths}


def _recorded(project: Path, provider: Provider, *arguments: str, mode: str = "record") -> str:
    return run(project, f"--intercept={mode}", *arguments, RECORDING="1", **live_environment(provider)).stdout


def _expected(count: int) -> dict[str, int]:
    own = sorted(f"test_own-{number}.jsonl" for number in range(count))
    return dict.fromkeys(own, 1) | {"shared.jsonl": count}


@pytest.mark.parametrize(
    ("workers", "count", "mode", "again"),
    [
        ("2", 4, "record", ["0"]),
        pytest.param("4", 40, "record", ["0", "1", "4"], marks=pytest.mark.slow),
        pytest.param("4", 40, "update", ["0", "1", "4"], marks=pytest.mark.slow),
        pytest.param("4", 40, "extend", ["0", "1", "4"], marks=pytest.mark.slow),
    ],
)
def test_what_workers_record_together_replays_with_any_number_of_them(
    workers: str, count: int, mode: str, again: list[str], *, project: Path, provider: Provider
) -> None:
    """Forty tests share a cassette, forty have their own; each gets its own answer back.

    Two of the forty ask the same: `extend` may serve the second what the first has added.
    """
    (project / "tests" / "count").write_text(str(count))

    recorded = _recorded(project, provider, "-n", workers, mode=mode)
    rows, hits = _rows(project), provider.hits
    replayed = {number: run(project, "-n", number, **_OFFLINE).stdout for number in again}

    assert f"{2 * count} passed" in recorded, recorded
    shared = rows.pop("shared.jsonl")
    assert [*rows.values()] == [1] * count
    assert shared == count or (mode == "extend" and count // 2 <= shared <= count)
    assert hits == provider.hits == shared + count
    for number, output in replayed.items():
        assert f"{2 * count} passed" in output, (number, output)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["record", "update"])
def test_a_second_run_of_workers_replaces_what_the_first_recorded(mode: str, project: Path, provider: Provider) -> None:
    """Whichever of them comes first: nothing of the run before stays, and nothing of this one gives way."""
    (project / "tests" / "count").write_text("8")
    _recorded(project, provider, "-n", "4")
    first = (project / "cassettes" / "shared.jsonl").read_bytes()
    recorded = _recorded(project, provider, "-n", "4", mode=mode)

    assert "16 passed" in recorded
    assert sorted(_rows(project).values()) == sorted(_expected(8).values())
    assert not {*first.splitlines()[1:]} & {*(project / "cassettes" / "shared.jsonl").read_bytes().splitlines()[1:]}
    assert "16 passed" in run(project, **_OFFLINE).stdout


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_test_that_fails_leaves_its_rows_beside_those_of_all_others(
    workers: str, project: Path, provider: Provider
) -> None:
    """They can be adopted: then they stand beside those of the others."""
    (project / "tests" / "count").write_text("6")
    path = project / "tests" / "test_app.py"
    path.write_text(
        path.read_text().replace('// 2}")', "// 2}\")\n    assert not (number == 1 and os.environ.get('RECORDING'))")
    )

    recorded = _recorded(project, provider, "-n", workers, "-k", "shared")
    rows = _rows(project)
    shared = project / "cassettes" / "shared.jsonl"
    adopted = rescue(shared)

    assert "1 failed, 5 passed" in recorded
    assert rows.pop("shared.jsonl") == 5
    assert [*rows.values()] == [1]
    assert (adopted.rows, adopted.others) == (1, 5)
    assert "6 passed" in run(project, "-k", "shared", **_OFFLINE).stdout


@pytest.mark.slow
def test_a_program_that_a_test_starts_records_for_that_test(project: Path, provider: Provider) -> None:
    """It joins the run by its environment: while the test records the same cassette, before, and after."""
    program = """
        import sys, openai, intercept
        with intercept.use_cassette(sys.argv[1]):
            messages = [{"role": "user", "content": sys.argv[2]}]
            print(openai.OpenAI().chat.completions.create(model="m", messages=messages).choices[0].message.content)
    """
    tests = """
        import pathlib, subprocess, sys
        import intercept, openai, pytest

        def told(text):
            command = [sys.executable, str(pathlib.Path(__file__).with_name("program.py")), str(SHARED), text]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout

        SHARED = pathlib.Path(__file__).parent.parent / "cassettes" / "shared.jsonl"

        @pytest.mark.parametrize("name", ["a", "b"])
        def test_together(name):
            assert told(f"before {name}").endswith(f"to: before {name}\\n")
            with intercept.use_cassette(SHARED):
                ask = {"model": "m", "messages": [{"role": "user", "content": f"inside {name}"}]}
                openai.OpenAI().chat.completions.create(**ask)
                assert told(f"beside {name}").endswith(f"to: beside {name}\\n")
    """
    (project / "tests" / "program.py").write_text(textwrap.dedent(program))
    (project / "tests" / "test_app.py").write_text(textwrap.dedent(tests))
    environment = {**live_environment(provider), "INTERCEPT_MODE": "record"}

    recorded = run(project, "-n", "2", **environment).stdout
    rows = (project / "cassettes" / "shared.jsonl").read_text().splitlines()[1:]
    replayed = run(project, **_OFFLINE).stdout

    assert "2 passed" in recorded, recorded
    assert "2 passed" in replayed, replayed
    assert sorted(json.loads(row)["test"] for row in rows) == [
        f"tests/test_app.py::test_together[{n}]" for n in "aaabbb"
    ]
    assert provider.hits == 6
    assert intercept.validate(project / "cassettes" / "shared.jsonl") == []
