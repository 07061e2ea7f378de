"""Which mode is in force: the outermost human wins, and what happens is what the mode says."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept import modes, runs
from intercept.cassette import state
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import shipped
from tests.core.either_layout import exchanges, play
from tests.core.programs import python

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, in a run of its own, started without `--intercept`."""
    monkeypatch.setattr(runs, "current", runs.Run(root=tmp_path))
    monkeypatch.setattr(modes, "override", None)
    return tmp_path


def _project(root: Path, setting: str) -> None:
    (root / "pyproject.toml").write_text(f"[tool.intercept]\n{setting}\n", encoding="utf-8")


async def _asked(client: Any) -> str:
    return said(await ask(client))


async def _asked_anew(client: Any) -> str:
    return said(await ask(client, "new"))


def _recorded(cassette: Path, provider: Provider) -> None:
    play(cassette, "record", provider.url, "hi", "kept")
    assert runs.current is not None
    state.forget(runs.current.id)  # the next recording replaces this one


# What was sent of the known call and of the new one, and what the cassette holds then; it held `hi` and `kept` before.
_BY_WHAT_HAPPENS: dict[tuple[tuple[int, int], tuple[str, ...]], str] = {
    ((0, 0), ("hi", "kept")): "replay",
    ((1, 1), ("hi", "new")): "record",
    ((1, 1), ("hi", "kept", "new")): "update",
    ((0, 1), ("hi", "kept", "new")): "extend",
    ((1, 1), ("hi", "kept")): "off",
}


def _what_happens(cassette: Path, provider: Provider, **settings: Any) -> str:
    """Tell the mode by what two calls do, a known one and another: are they sent, and what is in the file then."""
    hits = provider.hits
    with intercept.use_cassette(cassette, verify=False, **settings) as session:
        CALLERS[0].run(_asked, CALLERS[0].client(provider.url))
        known, missed = provider.hits - hits, False
        try:
            CALLERS[0].run(_asked_anew, CALLERS[0].client(provider.url))
        except intercept.Miss:
            missed = True
    sent = (known, provider.hits - hits - known)
    seen = _BY_WHAT_HAPPENS[sent, tuple(text for text, _, _ in exchanges(cassette))]
    assert session.mode == seen
    assert missed == (seen == "replay")
    return f"{seen}, by {session.mode_source}"


@pytest.mark.parametrize(
    ("command_line", "variable", "code", "project", "expected"),
    [
        (None, None, None, None, "replay, by default"),
        (None, None, None, "record", "record, by [tool.intercept] in {root}/pyproject.toml"),
        (None, None, None, "off", "off, by [tool.intercept] in {root}/pyproject.toml"),
        (None, None, "replay", "record", "replay, by mode= in code"),
        (None, None, "record", "off", "record, by mode= in code"),
        (None, "off", "record", "record", "off, by INTERCEPT_MODE"),
        (None, "record", "replay", "replay", "record, by INTERCEPT_MODE"),
        ("record", "off", "off", "off", "record, by the command line"),
        ("off", "record", "record", "record", "off, by the command line"),
        ("replay", "record", "off", None, "replay, by the command line"),
        ("", " \t", "", "off", "off, by [tool.intercept] in {root}/pyproject.toml"),
        ("  ", "", "off", "record", "off, by mode= in code"),
        ("", "", " ", " ", "replay, by default"),
        (None, None, None, "update", "update, by [tool.intercept] in {root}/pyproject.toml"),
        (None, None, "extend", "update", "extend, by mode= in code"),
        (None, "update", "extend", "record", "update, by INTERCEPT_MODE"),
        ("extend", "update", "record", "off", "extend, by the command line"),
    ],
)
def test_the_outermost_human_wins(
    command_line: str | None,
    variable: str | None,
    code: str | None,
    project: str | None,
    expected: str,
    *,
    root: Path,
    provider: Provider,
    cassette: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Command line, environment, code, project; None and blanks say nothing."""
    _recorded(cassette, provider)
    monkeypatch.setattr(modes, "override", command_line)
    if variable is not None:
        monkeypatch.setenv("INTERCEPT_MODE", variable)
    if project is not None:
        _project(root, f'mode = "{project}"')

    assert _what_happens(cassette, provider, mode=code) == expected.format(root=root)


@pytest.mark.parametrize("source", ["command line", "variable", "code", "project"])
@pytest.mark.parametrize(
    ("name", "mode"),
    [("RECORD", "record"), (" off ", "off"), ("\tRePlay\n", "replay"), ("Update", "update"), ("EXTEND ", "extend")],
)
def test_names_are_stripped_and_taken_in_any_case(
    name: str,
    mode: str,
    source: str,
    *,
    root: Path,
    provider: Provider,
    cassette: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From every source."""
    _recorded(cassette, provider)
    settings = _say(name, source, root, monkeypatch)

    assert _what_happens(cassette, provider, **settings).startswith(f"{mode}, by ")


def _say(name: object, source: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Name a mode by one source; return what is named in code."""
    if source == "code":
        return {"mode": name}
    if source == "command line":
        monkeypatch.setattr(modes, "override", name)
    elif source == "variable":
        monkeypatch.setenv("INTERCEPT_MODE", str(name))
    else:
        _project(root, f"mode = {name!r}" if isinstance(name, int) else f'mode = """{name}"""')
    return {}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("command line", "the command line"),
        ("variable", "INTERCEPT_MODE"),
        ("code", "mode= in code"),
        ("project", "pyproject.toml"),
    ],
)
@pytest.mark.parametrize("name", ["recrod", "record replay", "none", "0"])
def test_an_unknown_mode_is_refused_with_the_modes_and_its_source(
    name: str, source: str, told: str, *, root: Path, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typing error must not replay, or record, by chance."""
    door = intercept.use_cassette(cassette, **_say(name, source, root, monkeypatch))

    with pytest.raises(intercept.ConfigError) as caught:
        door.__enter__()

    assert f'"{name}"' in str(caught.value)
    assert told in str(caught.value)
    assert all(mode in str(caught.value) for mode in modes.MODES)
    assert not cassette.parent.exists()


@pytest.mark.parametrize(("source", "told"), [("code", "mode= in code"), ("project", "pyproject.toml")])
@pytest.mark.parametrize("name", [1, 0])
def test_a_mode_that_is_no_text_is_refused(
    name: object, source: str, told: str, *, root: Path, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same error."""
    door = intercept.use_cassette(cassette, **_say(name, source, root, monkeypatch))

    with pytest.raises(intercept.ConfigError, match=f"{told}.* is no mode. The modes: {', '.join(modes.MODES)}"):
        door.__enter__()


@pytest.mark.parametrize(
    "content",
    [b"[tool.intercept\n", b"[tool.intercept]\nmode = record\n", b"\xff\n", b"tool = 3\n", b"[tool]\nintercept = 3\n"],
)
def test_a_project_file_that_cannot_be_read_is_told(content: bytes, root: Path, cassette: Path) -> None:
    """By its name; what it means to say is not guessed."""
    (root / "pyproject.toml").write_bytes(content)

    with pytest.raises(intercept.ConfigError, match=r"pyproject\.toml"):
        intercept.use_cassette(cassette, mode="off").__enter__()


def test_a_project_file_that_changes_is_read_again(root: Path, provider: Provider, cassette: Path) -> None:
    """A watcher or a console outlives the edit."""
    _recorded(cassette, provider)
    _project(root, 'mode = "replay"')
    first = _what_happens(cassette, provider)
    _project(root, 'mode = "off"')

    assert first.startswith("replay, ")
    assert _what_happens(cassette, provider).startswith("off, ")


def test_the_environment_is_read_when_a_session_starts(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when the module is imported, and not when a door is made or a function decorated."""
    _recorded(cassette, provider)
    monkeypatch.setenv("INTERCEPT_MODE", "record")
    door = intercept.use_cassette(cassette)

    @intercept.use_cassette(cassette)
    def mode() -> str:
        session = intercept.current_session()
        return "off" if session is None else session.mode

    def entered() -> str:
        with door as session:
            return session.mode

    monkeypatch.setenv("INTERCEPT_MODE", "off")
    under_off = (mode(), entered())
    monkeypatch.delenv("INTERCEPT_MODE")

    assert under_off == ("off", "off")
    assert (mode(), entered()) == ("replay", "replay")


def test_a_session_keeps_the_mode_it_started_with(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is set in the middle is for the next one."""
    _recorded(cassette, provider)

    with intercept.use_cassette(cassette) as session:
        monkeypatch.setenv("INTERCEPT_MODE", "record")
        CALLERS[0].run(_asked, CALLERS[0].client(provider.url))

    assert (session.mode, provider.hits) == ("replay", 2)


@every_caller
@pytest.mark.parametrize("content", [None, b"", b"no cassette", b'{"kind":"intercept-cassette","v":2}\n'])
def test_off_neither_reads_nor_writes(
    content: bytes | None, caller: Caller, provider: Provider, cassette: Path
) -> None:
    """Whatever the file is, and whether there is one; a call is sent as if we were not here."""
    if content is not None:
        cassette.parent.mkdir()
        cassette.write_bytes(content)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with intercept.use_cassette(cassette, mode="off") as session:
            text = caller.run(_asked, caller.client(provider.url))
            current = intercept.current_session()

    assert text == "Reply 1 to: hi"
    assert (session.calls, current) == ([], None)
    assert (cassette.read_bytes() if cassette.exists() else None) == content
    assert content is None or [path.name for path in cassette.parent.iterdir()] == [cassette.name]


def test_under_off_every_method_is_the_one_that_was_shipped(cassette: Path) -> None:
    """The very objects: nothing of ours is in the way."""
    before = shipped()

    with intercept.use_cassette(cassette, mode="off"):
        inside = shipped()

    assert before
    for owner, members in before.items():
        assert inside[owner].keys() == members.keys()
        assert all(inside[owner][name] is member for name, member in members.items())


def test_off_inside_of_a_recording_is_off(provider: Provider, cassette: Path) -> None:
    """The inner session wins: its calls are sent and not recorded; then the outer one goes on."""
    with intercept.use_cassette(cassette, mode="record") as outer:
        with intercept.use_cassette(cassette, mode="off"):
            CALLERS[0].run(_asked, CALLERS[0].client(provider.url))
        CALLERS[0].run(_asked, CALLERS[0].client(provider.url))

    assert provider.hits == 2
    assert len(outer.calls) == 1
    assert cassette.read_bytes().count(b"\n") == 2


@pytest.mark.slow
def test_the_command_line_of_pytest_beats_the_environment(root: Path) -> None:
    """A real run, in a process of its own."""
    (root / "pyproject.toml").write_text('[tool.intercept]\nmode = "replay"\n', encoding="utf-8")
    (root / "test_it.py").write_text(
        "import intercept\n\n\ndef test_it():\n"
        "    with intercept.use_cassette('x.jsonl', mode='replay') as session:\n"
        "        assert (session.mode, session.mode_source) == ('off', 'the command line')\n",
        encoding="utf-8",
    )

    ran = python("-m", "pytest", "-q", "--intercept= OFF", cwd=root, INTERCEPT_MODE="record")

    assert ran.returncode == 0, ran.stdout
