"""Where recorders tell each other of themselves: a folder for temporary files that is nobody else's."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import intercept
from intercept.cassette import locks, state
from intercept.loopback import Provider
from tests.core.failing_files import Faults
from tests.core.places import asking, every_layout, every_mode, place_in
from tests.core.recording import SYNC, names, questions

pytestmark = [
    pytest.mark.usefixtures("no_run"),
    pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX"),
]


@pytest.fixture
def tmpdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that nobody has used."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Where a cassette may be made."""
    return tmp_path / "cassettes" / "test.jsonl"


def _recorded(path: os.PathLike[str], url: str, mode: str = "record") -> list[str]:
    with intercept.use_cassette(path, mode=mode):
        said: list[str] = SYNC.run(asking("hi"), SYNC.client(url))
    return said


def _ours(tmpdir: Path) -> Path:
    return tmpdir / f"intercept-{os.getuid()}"


@every_mode
@every_layout
def test_locks_lie_in_a_folder_for_temporary_files(
    mode: str, layout: str, tmpdir: Path, provider: Provider, tmp_path: Path
) -> None:
    """For their owner alone, whatever the mask of the process is; beside the cassette there is none, then or later."""
    place = place_in(tmp_path, layout)
    before = os.umask(0)
    modes: dict[str, str] = {}

    try:
        with intercept.use_cassette(place, mode=mode):
            SYNC.run(asking("hi"), SYNC.client(provider.url))
            for path in (_ours(tmpdir), *_ours(tmpdir).iterdir()):
                modes[path.suffix] = oct(stat.S_IMODE(path.stat().st_mode))
            during = {name for name in names(place.folder) if not name.endswith((".jsonl", ".json"))}
    finally:
        os.umask(before)

    assert modes.pop("") == "0o700"
    assert set(modes) >= {".gate", ".holder", ".json"}
    assert set(modes.values()) == {"0o600"}
    assert during == set()
    assert [path.suffix for path in _ours(tmpdir).iterdir()] == [".gate"]
    assert names(tmpdir) == [_ours(tmpdir).name]


@every_mode
@pytest.mark.parametrize("wrong", ["a link", "a dangling link", "a file", "writable by a group", "writable by all"])
def test_a_folder_for_locks_that_others_may_have_made_is_refused(
    wrong: str, mode: str, tmpdir: Path, cassette: Path, provider: Provider
) -> None:
    """Before a call is made; nothing is made where it leads."""
    ours, elsewhere = _ours(tmpdir), tmpdir / "elsewhere"
    if "link" in wrong:
        ours.symlink_to(elsewhere)
    elif wrong == "a file":
        ours.write_bytes(b"")
    else:
        ours.mkdir()
        ours.chmod(0o770 if "group" in wrong else 0o707)
    if wrong == "a link":
        elsewhere.mkdir()

    with pytest.raises(intercept.CassetteError, match="folder for locks") as caught:
        _recorded(cassette, provider.url, mode)

    assert caught.value.where == str(ours)
    assert provider.hits == 0
    assert not elsewhere.exists() or names(elsewhere) == []
    assert not cassette.parent.exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="takes root to give a folder to somebody")
def test_a_folder_for_locks_of_somebody_else_is_refused(tmpdir: Path, cassette: Path, provider: Provider) -> None:
    """It may be closed to all others, and still be looked after by the wrong one."""
    _ours(tmpdir).mkdir(mode=0o700)
    os.chown(_ours(tmpdir), 12345, 12345)

    with pytest.raises(intercept.CassetteError, match="nobody else can write"):
        _recorded(cassette, provider.url)

    assert provider.hits == 0


@every_mode
@pytest.mark.parametrize("dangling", [False, True])
@pytest.mark.parametrize("name", ["{2}.gate", "{}.{pid}-{next}.holder", "{}.{pid}-{next}.json", "{}.claims"])
def test_a_link_in_the_place_of_a_lock_is_not_followed(
    name: str, mode: str, *, dangling: bool, tmpdir: Path, cassette: Path, provider: Provider
) -> None:
    """It is put away or refused, by an error of ours; what it leads to stays as it is."""
    victim = tmpdir / "victim"
    if not dangling:
        victim.write_bytes(b"precious")
    _ours(tmpdir).mkdir(mode=0o700)
    digest = state.name_of(cassette)
    planted = name.replace("{2}", digest[:2]).replace("{}", digest).replace("{pid}", str(os.getpid()))
    number = int(repr(locks.Hold._numbers)[6:-1])
    (_ours(tmpdir) / planted.replace("{next}", str(number))).symlink_to(victim)

    try:
        said = _recorded(cassette, provider.url, mode)
    except intercept.InterceptError:
        assert provider.hits == 0
    else:
        assert said == ["Reply 1 to: hi"]
        assert questions(cassette) == ["hi"]

    assert (victim.read_bytes() if victim.exists() else None) == (None if dangling else b"precious")


@every_mode
def test_a_folder_for_temporary_files_that_is_full_is_an_error_of_ours(
    mode: str, tmpdir: Path, cassette: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the opening, with the name of what could not be made; nobody is left as the one who records."""
    open_ = os.open

    def full(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_CREAT and str(path).startswith(str(tmpdir)):
            raise OSError(28, "No space left on device", str(path))
        return open_(path, flags, *rest, **more)

    with monkeypatch.context() as patches:
        patches.setattr(os, "open", full)
        with pytest.raises(intercept.CassetteError, match="No space left on device"):
            _recorded(cassette, provider.url, mode)

    assert _recorded(cassette, provider.url, mode) == ["Reply 1 to: hi"]


def test_numbers_stay_unique_where_a_claim_is_written_in_parts(
    tmpdir: Path, cassette: Path, provider: Provider, faults: Faults
) -> None:
    """Two sessions that extend one cassette agree on the numbers of equal requests through a file."""
    faults.shorten(3)

    with intercept.use_cassette(cassette, mode="extend"):
        SYNC.run(asking("hi"), SYNC.client(provider.url))
        with intercept.use_cassette(cassette.with_name("test.jsonl"), mode="extend"):
            said = SYNC.run(asking("hi", "hi", "hi"), SYNC.client(provider.url))
        SYNC.run(asking("hi"), SYNC.client(provider.url))

    assert said == ["Reply 1 to: hi", "Reply 2 to: hi", "Reply 3 to: hi"]
    assert [json.loads(line)["occurrence"] for line in cassette.read_bytes().splitlines()[1:]] == [0, 1, 2, 3]
    assert faults.met > 4


@pytest.fixture
def stopped(tmpdir: Path, cassette: Path) -> Iterator[None]:
    """A process that stands behind the gate, and does not go on."""
    source = f"""
        import tempfile, time
        from pathlib import Path
        from intercept.cassette.locks import Gate
        tempfile.tempdir = {str(tmpdir)!r}
        with Gate(Path({str(cassette)!r})).passed():
            print("in", flush=True)
            time.sleep(60)
    """
    with subprocess.Popen([sys.executable, "-c", dedent(source)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in\n"
        process.send_signal(signal.SIGSTOP)
        yield
        process.kill()


@every_mode
@pytest.mark.usefixtures("stopped")
def test_a_gate_that_a_stopped_process_holds_is_not_waited_for_without_end(
    mode: str, cassette: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of ours names the file it holds; nothing is sent, and nothing is made."""
    monkeypatch.setattr(locks, "_PATIENCE", 0.05)
    started = time.monotonic()

    with pytest.raises(intercept.CassetteError, match=r"another process holds .*\.gate"):
        _recorded(cassette, provider.url, mode)

    assert time.monotonic() - started < 5
    assert provider.hits == 0
    assert not cassette.parent.exists()
