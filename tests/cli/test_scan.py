"""`intercept scan`: what it says, how it ends, and that it never tells a secret."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from intercept.cli.command import command

from .planting import FORMATS, drawn, key, stream, vcr
from .shell import Ran

if TYPE_CHECKING:
    from pathlib import Path

    from .shell import Shell

STYLES = ["text", "json", "github"]


class Here:
    """Runs the command in this process: `Shell` takes its time."""

    def __init__(self, folder: Path, said: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._said = said

    def __call__(self, *arguments: str) -> Ran:
        """Run it to its end."""
        with pytest.raises(SystemExit) as ended:
            command.main([*arguments], prog_name="intercept")
        out, err = self._said.readouterr()
        return Ran(int(str(ended.value.code)), out, err, self.folder)


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Run `intercept` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, capsys)


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


def untold(ran: Ran, *secrets: str) -> None:
    """Check that no six letters of a secret's random part are in what was said."""
    for secret in secrets:
        random = secret[-40:]
        for at in range(len(random) - 5):
            assert random[at : at + 6] not in ran.out + ran.err


def test_findings_are_told_by_place_and_kind(intercept: Shell) -> None:
    """A line for each, then a summary; exit code 1."""
    secret, cookie = key(), drawn(30)
    write(
        intercept.folder,
        {
            "a.txt": f"one\ntwo {secret}\n",
            "calls/x.jsonl": FORMATS["x.jsonl"](stream(secret)),
            "calls/y.yaml": vcr("hi", headers=f"      cookie: [{cookie}]\n"),
            "clean.md": "nothing\n",
        },
    )

    ran = intercept("scan", "a.txt", "calls", "clean.md")

    assert (ran.code, ran.err) == (1, "")
    assert [line.partition(" (")[0] for line in ran.out.splitlines()[:-1]] == [
        "a.txt:2:5: openai-key",
        f"calls{os.sep}x.jsonl:2:1: openai-key",  # of what is split, the place is that of the whole
        f"calls{os.sep}y.yaml:6:16: header",
    ]
    assert "(row 1, events, joined text)" in ran.out
    assert "(interaction 1, request, headers)" in ran.out
    assert ran.out.splitlines()[-1] == "3 findings in 4 files, 0.0 MB"
    untold(ran, secret, cookie)


@pytest.mark.parametrize("style", STYLES)
def test_no_style_tells_a_secret(here: Here, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by a part of six letters, in any format of a recording."""
    secret = key()
    write(here.folder, {name: make(stream(secret)) for name, make in FORMATS.items()})

    monkeypatch.setenv("MY_API_KEY", secret)
    ran = here("scan", "--format", style, ".")

    assert ran.code == 1
    assert all(name in ran.out for name in FORMATS)
    untold(ran, secret)


@pytest.mark.parametrize("option", [("--json",), ("--format", "json")])
def test_json_is_one_object(here: Here, option: tuple[str, ...]) -> None:
    """For programs."""
    write(here.folder, {"x.txt": f"a {key()}"})

    ran = here("scan", *option, "x.txt", "none.txt")

    assert json.loads(ran.out) == {
        "findings": [{"path": "x.txt", "line": 1, "column": 3, "label": "openai-key", "part": ""}],
        "unreadable": [{"path": "none.txt", "why": "No such file or directory"}],
        "files": 1,
        "bytes": 58,
    }
    assert ran.code == 2


def test_annotations_are_escaped(here: Here) -> None:
    """As GitHub asks for it."""
    write(here.folder, {"a,b%:c.txt": key()})

    ran = here("scan", "--format", "github", ".")

    assert ran.out.splitlines()[0] == "::error file=a%2Cb%25%3Ac.txt,line=1,col=1,title=intercept scan::openai-key"


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_a_name_cannot_steer_the_terminal(here: Here) -> None:
    """Nor write lines of its own."""
    write(here.folder, {"a\n\x1b[2Jb.txt": key()})

    ran = here("scan", ".")

    assert ran.out.splitlines()[0] == "a\\n\\x1b[2Jb.txt:1:1: openai-key"


@pytest.mark.parametrize(
    ("files", "arguments", "code"),
    [
        pytest.param({"x.txt": "hi"}, ["x.txt"], 0, id="clean"),
        pytest.param({".git/x": "hi", "node_modules/x": "hi"}, ["."], 1, id="no file at all"),
        pytest.param({}, ["x.txt"], 2, id="no such file"),
        pytest.param({}, [], 2, id="usage"),
        pytest.param({"x.txt": "hi"}, ["--format", "xml", "x.txt"], 2, id="no such format"),
    ],
)
def test_the_exit_code_tells_how_it_went(here: Here, files: dict[str, str], arguments: list[str], code: int) -> None:
    """0 clean, 1 for findings or where nothing was scanned, 2 for what could not be."""
    write(here.folder, files)

    ran = here("scan", *arguments)

    assert ran.code == code
    assert "Traceback" not in ran.err


def test_a_large_file_is_refused(here: Here) -> None:
    """With its limit, and the rest is scanned."""
    write(here.folder, {"x.txt": key()})
    with (here.folder / "y.bin").open("wb") as file:
        file.truncate((128 << 20) + 1)

    ran = here("scan", ".")

    assert (ran.code, ran.err) == (2, "error: y.bin: larger than 128 MiB\n")
    assert "1 finding in 1 file" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_in_a_folder_are_not_followed(here: Here, tmp_path_factory: pytest.TempPathFactory) -> None:
    """They may lead out; one that is named itself is."""
    outside = tmp_path_factory.mktemp("outside")
    write(outside, {"x.txt": key()})
    write(here.folder, {"calls/y.txt": "hi"})
    (here.folder / "calls" / "folder").symlink_to(outside)
    (here.folder / "calls" / "file").symlink_to(outside / "x.txt")
    os.mkfifo(here.folder / "calls" / "fifo")

    assert here("scan", "calls").out == "0 findings in 1 file, 0.0 MB\n"
    assert here("scan", "calls/file").code == 1


def test_a_file_is_scanned_once(here: Here) -> None:
    """However often it is named."""
    write(here.folder, {"x.txt": key()})

    assert here("scan", "x.txt", ".", "x.txt").out.splitlines()[-1] == "1 finding in 1 file, 0.0 MB"
