"""Cassettes of ours are clean, a key that somebody puts into one is found, and real recordings are read."""

from __future__ import annotations

import base64
import shlex
import subprocess
import sys
from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from intercept.scan import Scanner, walk
from tests.core.recording import record
from tests.core.repository import Git
from tests.realdata.corpus import ABSENT, folder

from .planting import key

if TYPE_CHECKING:
    from intercept.loopback import Provider

ROOT = Path(__file__).parents[2]


def scan(*paths: Path) -> list[Any]:
    """Scan files and folders."""
    scanner = Scanner(())
    return [found for walked in walk(paths) for found in scanner.scan(walked.path)[0]]


@pytest.mark.parametrize("name", ["calls.jsonl", "calls/"])
def test_a_recording_is_clean_until_somebody_adds_a_key(provider: Provider, tmp_path: Path, name: str) -> None:
    """However the secrets came into it: asked, and answered."""
    path = tmp_path / name
    record(f"{tmp_path}/{name}", provider.url, f"my key is {key()}", base64.b64encode(key().encode()).decode())  # type: ignore[arg-type]

    assert scan(path) == []

    file = path if path.is_file() else next(path.glob("[!.]*.json*"))
    asked = file.read_text(encoding="utf-8").replace("[REDACTED:openai-key:1]", key(), 1)
    file.write_text(asked, encoding="utf-8")

    assert {each.label for each in scan(path)} == {"openai-key"}


@pytest.mark.parametrize("place", ["intercept", "adapters", "demo", "cassettes", "README.md", "CHANGELOG.md"])
def test_the_project_itself_is_clean(place: str) -> None:
    """Its placeholders and examples trip nobody's scanner, ours included."""
    assert [f"{each.path}:{each.line}: {each.label}" for each in scan(ROOT / place)] == []


@pytest.mark.skipif(folder() is None, reason=ABSENT)
def test_real_recordings_are_read() -> None:
    """Who asked is found in some of them; they were cleaned of secrets, and what is sealed in them is none."""
    where = folder()
    assert where is not None
    scanner = Scanner(())
    files = [walked.path for walked in walk([where])]

    found = [each for file in files for each in scanner.scan(file)[0]]

    kinds = Counter(each.label for each in found)
    assert len(files) > 60
    assert set(kinds) <= {
        "anthropic-workspace", "openai-user", "openai-organization", "openai-project", "identity", "azure-sas",
    }  # fmt: skip
    assert kinds["anthropic-workspace"] >= 6
    assert kinds["azure-sas"] >= 2


def _hook() -> dict[str, Any]:
    import yaml

    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return dict(hook)


def test_the_hook_is_one_that_pre_commit_takes() -> None:
    """With the fields that it asks for, and files of recordings."""
    import re

    hook = _hook()
    wanted = re.compile(hook["files"])

    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("intercept-scan", "python", True)
    assert all(wanted.search(name) for name in ("tests/cassettes/a.yaml", "x.jsonl", "x.har", "my_cassette.json"))
    assert not wanted.search("intercept/door.py")


def test_the_hook_stops_a_commit(tmp_path: Path) -> None:
    """Its entry, run on the staged files as pre-commit does."""
    git = Git(tmp_path / "repository")
    staged = tmp_path / "repository" / "cassettes" / "x.yaml"
    staged.parent.mkdir()
    staged.write_text(f"a: {key()}\n", encoding="utf-8")
    git("add", "-A")
    program, *arguments = shlex.split(_hook()["entry"])
    (script,) = entry_points(group="console_scripts", name=program)
    staged_files = git("diff", "--cached", "--name-only").split()

    ran = subprocess.run(
        [sys.executable, "-m", script.module.partition(".")[0], *arguments, *staged_files],
        cwd=tmp_path / "repository",
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stdout.splitlines()[0]) == (1, "cassettes/x.yaml:1:4: openai-key")
