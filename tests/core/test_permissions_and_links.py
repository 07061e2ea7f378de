"""Who may read what is recorded, and where a link leads."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from pathlib import Path

import pytest

import intercept
from intercept.cassette.lines import read
from intercept.loopback import Provider
from tests.core.recording import SYNC, asking, partial_file, questions, record, replay

pytestmark = pytest.mark.usefixtures("no_run")

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and links")


@posix
def test_new_files_and_folders_are_for_their_owner_alone(provider: Provider, tmp_path: Path) -> None:
    """Prompts and answers are nobody else's, on a shared machine; every folder that had to be made."""
    path = tmp_path / "a" / "b" / "c" / "x.jsonl"
    before = os.umask(0)
    modes: list[int] = []

    try:
        with intercept.use_cassette(path, mode="record"):
            SYNC.run(asking("hi"), SYNC.client(provider.url))
            modes.append(stat.S_IMODE(partial_file(path).stat().st_mode))
    finally:
        os.umask(before)

    modes += [stat.S_IMODE(made.stat().st_mode) for made in (path, *list(path.parents)[:3])]
    assert [oct(mode) for mode in modes] == ["0o600", "0o600", "0o700", "0o700", "0o700"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o400])
def test_an_existing_file_and_folder_keep_their_mode(mode: int, provider: Provider, old: Path) -> None:
    """Whoever could read it before can read it still."""
    old.parent.chmod(0o755)
    old.chmod(mode)

    record(old, provider.url, "hi")

    assert questions(old) == ["hi"]
    assert oct(stat.S_IMODE(old.stat().st_mode)) == oct(mode)
    assert oct(stat.S_IMODE(old.parent.stat().st_mode)) == "0o755"


@posix
@pytest.mark.parametrize("dangling", [False, True])
@pytest.mark.parametrize("name", ["test.partial.jsonl", ".test.jsonl.PID.new", "test.failed.jsonl"])
def test_a_planted_link_is_not_written_through(
    name: str, provider: Provider, tmp_path: Path, old: Path, *, dangling: bool
) -> None:
    """Whoever may write to the folder must not make us write elsewhere."""
    victim = tmp_path / "victim"
    if not dangling:
        victim.write_bytes(b"precious")
    (old.parent / name.replace("PID", str(os.getpid()))).symlink_to(victim)
    if name.endswith("failed.jsonl"):
        partial_file(old).write_bytes(b"left over")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", intercept.InterceptWarning)
        record(old, provider.url, "hi")

    assert (victim.read_bytes() if victim.exists() else None) == (None if dangling else b"precious")
    assert questions(old) == ["hi"]
    assert not old.is_symlink()


@posix
def test_a_cassette_that_is_a_link_is_recorded(provider: Provider, old: Path) -> None:
    """Under the name by which it was asked for the new recording is found."""
    link = old.with_name("link.jsonl")
    link.symlink_to(old.name)

    record(link, provider.url, "hi")

    assert replay(link, provider.url, "hi") == ["Reply 1 to: hi"]
    assert len(read(old)) > 0
