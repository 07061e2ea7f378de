"""The demo end to end, as somebody without any key runs it."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from intercept_demo import requirements

from .shell import KEY_SHAPED

if TYPE_CHECKING:
    from .shell import Ran, Shell

AGENT = Path(requirements.__file__).with_name("agent.py")


def test_every_object_comes_back_equal_and_nothing_is_sent(demo: Ran) -> None:
    """Seven requests make the recording, none the replay, and the exit code says that all is well."""
    steps = re.findall(r"^(\d) .*?(\d hits?) .*?(\d hits?) .* (\S+)$", demo.out, re.MULTILINE)

    assert (demo.code, demo.err) == (0, "")
    assert steps == [
        ("1", "2 hits", "0 hits", "equal"),
        ("2", "1 hit", "0 hits", "equal"),
        ("3", "1 hit", "0 hits", "equal"),
        ("4", "3 hits", "0 hits", "equal"),
    ]
    assert "Every object is equal" in demo.out


def test_the_replay_does_not_wait(demo: Ran) -> None:
    """The stand-in takes its time, as a provider does; a replay takes none."""
    recorded, replayed = re.findall(r"([\d.]+) s", next(line for line in demo.out.splitlines() if "  all" in line))

    assert float(recorded) > 1.2
    assert float(replayed) < float(recorded) / 2


def test_the_output_fits_80_columns_and_has_no_escape_codes(demo: Ran) -> None:
    """In a pipe there are words alone; only paths may be longer than a line."""
    assert "\x1b" not in demo.out
    assert [
        line for line in demo.out.splitlines() if len(line) > 80 and "jsonl" not in line and "agent" not in line
    ] == []
    assert [line for line in demo.out.splitlines() if line != line.rstrip()] == []


def test_the_cassette_lies_in_the_current_folder_and_holds_no_key(demo: Ran) -> None:
    """Its seven rows and header are all there is, and nothing in file or output looks like a key."""
    assert [path.name for path in demo.folder.iterdir()] == ["intercept-demo.jsonl"]
    text = (demo.folder / "intercept-demo.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()[1:]]

    assert [row["operation"] for row in rows] == [
        "POST /chat/completions",
        "POST /chat/completions",
        "POST /v1/messages",
        "POST /chat/completions",
        *["POST /v1/messages/count_tokens"] * 3,
    ]
    assert KEY_SHAPED.findall(text + demo.out) == []


@pytest.mark.slow
def test_the_surroundings_of_a_user_do_not_disturb_it(intercept: Shell) -> None:
    """A mode, a proxy, and settings of the user's own account are set aside, and reach no file."""
    key = "sk-" + "own" * 12
    ran = intercept(
        "demo",
        "--cassette",
        "folder/of mine/demo.jsonl",
        env={
            "INTERCEPT_MODE": "off",
            "HTTP_PROXY": "http://127.0.0.1:9",
            "ALL_PROXY": "http://127.0.0.1:9",
            "OPENAI_API_KEY": key,
            "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
            "ANTHROPIC_AUTH_TOKEN": key,
        },
    )

    assert (ran.code, ran.err) == (0, "")
    assert key not in (ran.folder / "folder/of mine/demo.jsonl").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_file_that_is_no_cassette_is_left_alone(intercept: Shell) -> None:
    """A path to something else is an error, and the something else stays as it is."""
    notes = intercept.folder / "notes.txt"
    notes.write_text("mine", encoding="utf-8")

    ran = intercept("demo", "--cassette", "notes.txt")

    assert ran.code == 2
    assert ran.err.startswith(f"error: {notes}:1: ")
    assert notes.read_text(encoding="utf-8") == "mine"


def test_the_agent_knows_nothing_of_intercept() -> None:
    """The application imports both SDKs, pydantic and the standard library."""
    tree = ast.parse(AGENT.read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    foreign = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names

    assert foreign == {"openai", "anthropic", "pydantic"}
