"""Folders that are open to all, or closed to us: refused or told of, before or behind what was paid for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import intercept
from intercept import runs
from intercept.loopback import Provider
from tests.conformance.callers import live_environment
from tests.core.modules import as_module
from tests.core.places import asking, every_layout, every_mode, place_in
from tests.core.programs import run
from tests.core.recording import SYNC, names

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("no_run"),
    pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX"),
]


@every_mode
@every_layout
@pytest.mark.parametrize("existed", [False, True])
def test_a_folder_that_anybody_may_write_is_refused(mode: str, layout: str, *, existed: bool, tmp_path: Path) -> None:
    """Before a call is made: what is recorded there could be changed. The error tells both ways out."""
    place = place_in(tmp_path, layout)
    place.folder.mkdir(parents=True)
    before = place.fill() if existed else {}
    place.folder.chmod(0o707)

    with (
        pytest.raises(intercept.CassetteError, match=r"(?s)anybody may write.*chmod o-w.*world_writable") as caught,
        intercept.use_cassette(place, mode=mode),
    ):
        pass

    assert caught.value.where == str(place.folder)
    assert place.files() == before


@every_mode
@every_layout
@pytest.mark.parametrize("by", ["code", "project", "a sticky bit", "a closed folder"])
def test_a_folder_that_is_meant_so_or_is_safe_is_recorded_in(
    by: str, mode: str, layout: str, *, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where code or the project says so, and where others may not replace what is ours, as in /tmp."""
    monkeypatch.setattr(runs, "current", None)
    project = "[tool.intercept]\nworld_writable = true\n" if by == "project" else ""
    (tmp_path / "pyproject.toml").write_text(project)
    place = place_in(tmp_path, layout)
    place.folder.mkdir(parents=True)
    place.folder.chmod({"a sticky bit": 0o1777, "a closed folder": 0o775}.get(by, 0o777))
    module = as_module(
        tmp_path / "app.py",
        """
        def record(cassette, body, **settings):
            with intercept.use_cassette(cassette, **settings):
                return body()
        """,
    )

    said = module["record"](
        place,
        lambda: SYNC.run(asking("hi"), SYNC.client(provider.url)),
        mode=mode,
        **({"world_writable": True} if by == "code" else {}),
    )

    assert (said, place.questions()) == (["Reply 1 to: hi"], ["hi"])


@pytest.mark.parametrize("value", ["false", '"true"', "1"])
def test_nothing_but_true_in_the_project_allows_it(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that looks like it is none."""
    monkeypatch.setattr(runs, "current", None)
    (tmp_path / "pyproject.toml").write_text(f"[tool.intercept]\nworld_writable = {value}\n")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    module = as_module(
        tmp_path / "app.py", "def go(): return intercept.use_cassette('open/x', mode='record').__enter__()\n"
    )

    with pytest.raises(intercept.CassetteError, match="anybody may write"):
        module["go"]()


@every_layout
def test_a_replay_takes_a_cassette_from_any_folder(layout: str, provider: Provider, tmp_path: Path) -> None:
    """It writes nothing."""
    place = place_in(tmp_path, layout)
    with intercept.use_cassette(place, mode="record"):
        SYNC.run(asking("hi"), SYNC.client(provider.url))
    place.folder.chmod(0o777)

    with intercept.use_cassette(place):
        assert SYNC.run(asking("hi"), SYNC.client(provider.url)) == ["Reply 1 to: hi"]


_CLOSED = """
    import os, sys
    from pathlib import Path

    import intercept
    import openai

    def record(path, mode):
        said = []
        try:
            with intercept.use_cassette(path, mode=mode):
                with openai.OpenAI(max_retries=0) as client:
                    for text in ("one", "two"):
                        messages = [{"role": "user", "content": text}]
                        reply = client.chat.completions.create(model="gpt-4o", messages=messages)
                        said.append(reply.choices[0].message.content.partition("to: ")[2])
        except intercept.NotVerified as error:
            print(mode, Path(path).name, *said, len(error.failures), str(error).count("Permission denied"))

    closed, ours = sys.argv[1:]
    for mode in ("record", "update", "extend"):  # which imports all there is, while that may be read
        record(f"{ours}/x.jsonl", mode)
        record(f"{ours}/x/", mode)
    if os.getuid() == 0:
        os.setgid(12345)
        os.setuid(12345)
    for mode in ("record", "update", "extend"):
        for name in ("new.jsonl", "new/", "old.jsonl", "old/"):
            record(f"{closed}/{name}", mode)
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that others reach: those of pytest are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        yield folder


@pytest.mark.slow
def test_a_folder_that_is_closed_to_us_costs_no_call(provider: Provider, shared: Path) -> None:
    """As somebody who is not root, whom permissions do not hold back; nothing is left in the folder."""
    closed = shared / "closed"
    closed.mkdir()
    for layout, name in (("file", "old.jsonl"), ("folder", "old")):
        place_in(shared / layout, layout).fill()
        place_in(shared / layout, layout).path.rename(closed / name)
    before = {path: path.read_bytes() for path in closed.rglob("*") if path.is_file()}
    for path in closed.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    closed.chmod(0o555)
    variables = {"TMPDIR": str(shared / "tmp"), **live_environment(provider)}

    ran = run(shared, _CLOSED, str(closed), str(shared), cwd=shared, **variables)

    assert ran.stdout.splitlines() == [
        f"{mode} {name} one two 2 2"
        for mode in ("record", "update", "extend")
        for name in ("new.jsonl", "new", "old.jsonl", "old")
    ], ran.stderr
    assert {path: path.read_bytes() for path in closed.rglob("*") if path.is_file()} == before
    assert names(closed) == ["old", "old.jsonl"]
    for path in (closed, closed / "old"):
        path.chmod(0o700)  # so that whoever is not root can remove it
