"""Every code block of the README is run: recorded against a provider on this machine, then replayed without it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from intercept.cassette.lines import read
from intercept.identity import request_hash
from intercept.loopback import Provider
from tests.conformance.callers import live_environment

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def _blocks(kind: str) -> list[str]:
    return [text for language, text in BLOCKS if language == kind]


def _run(project: Path, *command: str, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "INTERCEPT"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{clean.get('PATH', '')}"
    done = subprocess.run(
        command,
        cwd=project,
        env={**clean, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_block_is_of_a_kind_that_is_run() -> None:
    """A new kind of block needs a way to run it."""
    assert {language for language, _ in BLOCKS} == {"python", "sh", "json", "toml"}


@pytest.mark.parametrize("block", _blocks("python"), ids=lambda block: block.splitlines()[0])
def test_python_blocks_record_and_replay(block: str, provider: Provider, tmp_path: Path) -> None:
    """As a program, or under pytest where it holds a test."""
    (tmp_path / "pyproject.toml").touch()
    name = "test_readme.py" if "def test_" in block else "program.py"
    (tmp_path / name).write_text(block)
    command = [sys.executable, "-m", "pytest", "-q", name] if "def test_" in block else [sys.executable, name]

    recorded = _run(tmp_path, *command, INTERCEPT_MODE="record", **live_environment(provider))
    hits = provider.hits
    replayed = _run(tmp_path, *command)

    assert provider.hits == hits
    if name == "program.py":
        assert replayed.splitlines()[:1] == recorded.splitlines()[:1]


@pytest.mark.slow
def test_the_environment_block_records_and_replays(provider: Provider, tmp_path: Path) -> None:
    """Both lines, one after the other, on the README's own test."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "test_readme.py").write_text(next(block for block in _blocks("python") if "def test_" in block))
    block = next(block for block in _blocks("sh") if "INTERCEPT_MODE" in block)

    said = _run(tmp_path, "bash", "-e", "-c", block, **live_environment(provider))

    assert said.count("1 passed") == 2
    assert provider.hits == 1
    assert (tmp_path / "cassettes" / "test_readme" / "test_stream.jsonl").is_file()


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    """What they do, their own tests and CI show."""
    block = next(block for block in _blocks("sh") if "make demo" in block)

    assert [line.split("#")[0].split() for line in block.splitlines()] == [["make", "demo"], ["make", "test"]]
    for target, does in {"demo": "intercept demo", "test": "pytest"}.items():
        assert does in _run(ROOT, "make", "-n", target)


def test_the_sample_cassette_is_one(tmp_path: Path) -> None:
    """It is read without complaint; only its hash stands for itself."""
    head, row = _blocks("json")[0].splitlines()
    request = json.loads(row)["request"]
    path = tmp_path / "sample.jsonl"
    path.write_text(f"{head}\n{row.replace('HASH', request_hash('openai', 'openai', request))}\n")

    assert len(read(path)) == 1


def test_the_entry_point_block_is_toml() -> None:
    """And it names the group that is searched."""
    tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")

    assert list(tomllib.loads(_blocks("toml")[0])["project"]["entry-points"]) == ["intercept.adapters"]
