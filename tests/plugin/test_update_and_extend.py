"""Test runs that record again a part of a shared cassette, or add to it: by one word at the command line."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from intercept.loopback import Provider
from tests.conformance.callers import live_environment
from tests.plugin.test_runs import run

_TESTS = """
import openai, pytest
import intercept

def ask(text):
    reply = openai.OpenAI().chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    return reply.choices[0].message.content

@intercept.use_cassette("shared.jsonl")
@pytest.mark.parametrize("name", ["a", "b"])
def test_parameters(name):
    assert ask("same").endswith("to: same")
    assert ask(name).endswith(f"to: {name}")

@intercept.use_cassette("shared.jsonl")
def test_other():
    assert ask("other").endswith("to: other")
"""
_OFFLINE = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose tests share one cassette."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    (tmp_path / "test_app.py").write_text(textwrap.dedent(_TESTS), encoding="utf-8")
    return tmp_path


def _rows(project: Path) -> list[tuple[str, int, str, str]]:
    """Return question, number, answer's number and test of each row."""
    rows = [json.loads(line) for line in (project / "shared.jsonl").read_bytes().splitlines()[1:]]
    return [
        (
            row["request"]["body"]["messages"][0]["content"],
            row["occurrence"],
            row["events"][0]["json"]["choices"][0]["message"]["content"].split()[1],
            row["test"].rpartition("::")[2].removeprefix("test_"),
        )
        for row in rows
    ]


@pytest.mark.slow
def test_a_run_that_updates_replaces_what_its_tests_ask(project: Path, provider: Provider) -> None:
    """All rows of it, in their places; then each test has its own again, and the rest is as it was."""
    recorded = run(project, "--intercept=record", **live_environment(provider))
    before = _rows(project)
    updated = run(project, "--intercept=update", "-k", "parameters", **live_environment(provider))
    replayed = run(project, **_OFFLINE)

    assert "3 passed" in recorded.stdout, recorded.stdout
    assert "2 passed" in updated.stdout, updated.stdout
    assert "3 passed" in replayed.stdout, replayed.stdout
    assert before == [
        ("same", 0, "1", "parameters[a]"),
        ("a", 0, "2", "parameters[a]"),
        ("same", 1, "3", "parameters[b]"),
        ("b", 0, "4", "parameters[b]"),
        ("other", 0, "5", "other"),
    ]
    assert sorted(_rows(project)) == sorted(
        [
            ("same", 0, "6", "parameters[a]"),
            ("a", 0, "7", "parameters[a]"),
            ("same", 1, "8", "parameters[b]"),
            ("b", 0, "9", "parameters[b]"),
            ("other", 0, "5", "other"),
        ]
    )


@pytest.mark.slow
def test_a_run_that_extends_asks_what_is_new_alone(project: Path, provider: Provider) -> None:
    """What the cassette holds is served, also what another test of the run has just added to it."""
    run(project, "--intercept=record", "-k", "other", **live_environment(provider))
    before = (project / "shared.jsonl").read_bytes()
    extended = run(project, "--intercept=extend", **live_environment(provider))
    hits = provider.hits
    again = run(project, "--intercept=extend", **live_environment(provider))
    replayed = run(project, **_OFFLINE)

    assert "3 passed" in extended.stdout, extended.stdout
    assert "3 passed" in again.stdout, again.stdout
    assert "3 passed" in replayed.stdout, replayed.stdout
    assert provider.hits == hits == 4
    assert (project / "shared.jsonl").read_bytes().startswith(before)
    assert [row[:2] for row in _rows(project)] == [("other", 0), ("same", 0), ("a", 0), ("b", 0)]
