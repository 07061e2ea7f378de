"""`intercept adopt`: what a recording left behind takes its place, by one command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.core.either_layout import everything, exchanges, partial_of
from tests.core.recording import asking
from tests.core.test_adopting import leave

if TYPE_CHECKING:
    from intercept.loopback import Provider

    from .shell import Shell


def test_several_cassettes_are_adopted_at_once(
    intercept: Shell, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the cassette's path or the left file's, relative to the working directory; each is told in a line."""
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    file, folder = str(intercept.folder / "x.jsonl"), f"{intercept.folder}/calls/"
    for place in (file, folder):
        leave(place, "record", provider.url, asking("a", "b"))

    ran = intercept("adopt", "x.jsonl", "calls/.partial.jsonl")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{file}: 2 rows from {partial_of(file)}",
        f"{Path(folder)}: 2 rows from {partial_of(folder)}",
    ]
    assert exchanges(file) == [("a", 0, "Reply 1 to: a"), ("b", 0, "Reply 2 to: b")]
    assert exchanges(folder) == [("a", 0, "Reply 3 to: a"), ("b", 0, "Reply 4 to: b")]
    assert [partial_of(place).exists() for place in (file, folder)] == [False, False]


def test_what_cannot_be_adopted_is_told_with_exit_code_2(intercept: Shell, provider: Provider) -> None:
    """In words, without a traceback; what was adopted before it stays so, and nothing else is changed."""
    left = leave(str(intercept.folder / "x.jsonl"), "record", provider.url, asking("a"))
    rows = left.read_bytes()
    (intercept.folder / "y.jsonl").write_bytes(b"mine\n")
    before = everything(left)

    ran = intercept("adopt", "y.jsonl", "x.jsonl")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {intercept.folder}{os.sep}y.jsonl")
    assert "Traceback" not in ran.err
    assert everything(left) == before
    assert left.read_bytes() == rows


def test_a_torn_row_is_told_as_a_warning(intercept: Shell, provider: Provider) -> None:
    """The rest is adopted, and others that stay are counted."""
    place = str(intercept.folder / "x.jsonl")
    left = leave(place, "update", provider.url, asking("a", "b"))
    left.write_bytes(left.read_bytes()[:-9])

    ran = intercept("adopt", "x.jsonl", env={"PYTHONWARNINGS": "default"})

    assert (ran.code, ran.out) == (0, f"{place}: 1 rows from {left}\n")
    assert ran.err.startswith(f"warning: {left}:3: the last row was cut off")
    assert len(ran.err.splitlines()) == 1


def test_without_a_path_there_is_usage(intercept: Shell) -> None:
    """And exit code 2, as of any command line."""
    ran = intercept("adopt")

    assert (ran.code, ran.out) == (2, "")
    assert "Usage: " in ran.err
