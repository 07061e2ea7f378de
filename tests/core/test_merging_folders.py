"""Folders of rows under git: two branches that record different calls merge without a conflict."""

from __future__ import annotations

from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.conftest import Canary
from tests.core.either_layout import exchanges, play
from tests.core.repository import Git

pytestmark = pytest.mark.usefixtures("a_program")


@pytest.mark.parametrize(("mode", "base"), [("extend", "a"), ("update", "a"), ("update", "ab"), ("record", "")])
def test_two_branches_that_record_different_calls_merge(
    mode: str, base: str, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Each adds or replaces files of its own; the merged cassette replays the calls of both."""
    place, git = f"{tmp_path}/repo/calls/", Git(tmp_path / "repo")
    (tmp_path / "repo" / "README").write_text("calls", encoding="utf-8")
    if base:
        play(place, "record", provider.url, *base)
    git.commit()
    for branch, texts in (("one", "bb"), ("two", "cd")):
        git("checkout", "-q", "-b", branch, "main")
        play(place, mode, provider.url, *texts)
        git.commit()

    git("merge", "-q", "one", "-m", "merged")

    assert git("status", "--short") == ""
    assert sorted({text for text, _, _ in exchanges(place)}) == sorted({*base, *"bcd"})
    play(place, "replay", canary.url, *sorted({*base}), *"bbcd"["b" in base :])
    assert intercept.validate(place) == []
