"""Paths out of the project: refused where a relative path or a test names them, followed where a person means them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from tests.core.modules import as_module
from tests.core.places import asking, every_mode
from tests.core.recording import OLD, SYNC, names, questions

_MODES = ["replay", "record", "update", "extend", "off"]

_OPEN = """
    def ask(cassette, mode, asked):
        with intercept.use_cassette(cassette, mode=mode) as session:
            asked()
            return session.path
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, beside others whose names begin like its own."""
    monkeypatch.setattr(runs, "current", None)
    for name in ("root", "root-evil", "roo", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.jsonl").write_bytes(OLD)
    (tmp_path / "root" / "pyproject.toml").write_bytes(b"")
    return tmp_path / "root"


@pytest.mark.parametrize(
    "path",
    [
        "../x.jsonl",
        "../root-evil/x.jsonl",
        "../roo/x.jsonl",
        "a/../../other/x.jsonl",
        "./../other/",
        "..",
        ".",
        "a/..",
        "../../../../../../../../etc/passwd",
    ],
)
def test_a_relative_path_that_leads_out_is_refused(path: str, root: Path) -> None:
    """Before anything is opened or made, as it is most likely a mistake; the error tells the way out."""
    ask = as_module(root / "app.py", _OPEN)["ask"]
    before = {found: found.stat().st_mtime_ns for found in root.parent.rglob("*")}

    for mode in _MODES:
        with pytest.raises(intercept.ConfigError, match=r"leads out of the project.*absolute path"):
            ask(path, mode, int)

    assert {found: found.stat().st_mtime_ns for found in root.parent.rglob("*")} == before


@every_mode
@pytest.mark.parametrize("folder", ["root", "root-evil", "other/new"])
def test_an_absolute_path_may_lead_anywhere(mode: str, folder: str, root: Path, provider: Provider) -> None:
    """Whoever writes it means it."""
    ask = as_module(root / "app.py", _OPEN)["ask"]
    path = root.parent / folder / "mine.jsonl"

    where = ask(path, mode, lambda: SYNC.run(asking("hi"), SYNC.client(provider.url)))

    assert where == path
    assert questions(path) == ["hi"]


@pytest.mark.parametrize("path", ["a\0b.jsonl", "\0", "", "x/\0/y.jsonl"])
def test_what_is_no_path_is_refused(path: str, root: Path) -> None:
    """No file can have a NUL in its name."""
    ask = as_module(root / "app.py", _OPEN)["ask"]

    for mode in _MODES:
        with pytest.raises(intercept.ConfigError, match="is no name for a cassette"):
            ask(path, mode, int)


@every_mode
@pytest.mark.parametrize("path", ["{300}.jsonl", "{300}/", "{300}/x.jsonl", "{234}.jsonl"])
def test_a_name_that_is_too_long_is_refused_before_a_call_is_made(
    path: str, mode: str, root: Path, provider: Provider
) -> None:
    """Neither it, nor those of the files that are made beside it, must be refused when the call is paid for."""
    ask = as_module(root / "app.py", _OPEN)["ask"]
    path = path.replace("{300}", "x" * 300).replace("{234}", "x" * 234)

    with pytest.raises(intercept.CassetteError, match="too long for a file"):
        ask(path, mode, lambda: SYNC.run(asking("hi"), SYNC.client(provider.url)))

    assert provider.hits == 0
    assert names(root) == ["app.py", "pyproject.toml", "x.jsonl"]


@every_mode
def test_the_longest_name_there_can_be_is_recorded(mode: str, root: Path, provider: Provider) -> None:
    """With room for the number of a process in the names that are made of it."""
    ask = as_module(root / "app.py", _OPEN)["ask"]
    name = f"x{'é' * 116}.jsonl"

    ask(name, mode, lambda: SYNC.run(asking("hi"), SYNC.client(provider.url)))

    assert len(os.fsencode(name)) == 239
    assert questions(root / name) == ["hi"]


@pytest.mark.parametrize(
    "name", ["CON.jsonl", "a:b.jsonl", "x.", "trailing ", "-rf", "a\nb.jsonl", "~.jsonl", "%2e%2e.jsonl"]
)
@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows refuses")
def test_a_name_that_a_person_gives_is_used_as_it_is(name: str, root: Path, provider: Provider) -> None:
    """Where the system takes it; only names of tests are made portable."""
    ask = as_module(root / "app.py", _OPEN)["ask"]

    where = ask(name, "record", lambda: SYNC.run(asking("hi"), SYNC.client(provider.url)))

    assert where == root / name
    assert questions(root / name) == ["hi"]
    assert names(root) == sorted(["app.py", "pyproject.toml", "x.jsonl", name])
