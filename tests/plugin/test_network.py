"""Under pytest the network is blocked while a session replays, if nobody says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from intercept.loopback import Provider
from tests.conformance.callers import live_environment
from tests.plugin.test_runs import project_of, run

_TESTS = """
    import socket

    import intercept
    import openai

    def reached():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
            try:
                opened.sendto(b"x", ("192.0.2.1", 9))
            except intercept.NetworkBlocked:
                return "blocked"
            except OSError:
                pass
        return "open"

    def test_in_a_session(record_property):
        with intercept.use_cassette("asked.jsonl") as session:
            openai.OpenAI().embeddings.create(model="m", input="x")
            print(session.mode, reached())

    def test_without_a_session():
        print("outside", reached())
"""


@pytest.mark.slow
def test_replays_block_and_nothing_else_does(provider: Provider, tmp_path: Path) -> None:
    """Not a recording, not a test without a session, and no replay where the command line or the project says so."""
    project = project_of(tmp_path, _TESTS)
    live = live_environment(provider)

    def told(*arguments: str) -> list[str]:
        ran = run(project, "-s", *arguments, **live)
        assert "2 passed" in ran.stdout, ran.stdout
        words = ran.stdout.replace(".", "").split()
        return [f"{word} {words[at + 1]}" for at, word in enumerate(words) if word in ("record", "replay", "outside")][
            -2:
        ]

    recorded = told("--intercept=record")
    replayed = told()
    opened = told("--intercept-block-network=off")
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n[tool.intercept]\nblock_network = false\n")
    allowed = told()
    forced = told("--intercept-block-network=on")

    assert recorded == ["record open", "outside open"]
    assert replayed == ["replay blocked", "outside open"]
    assert opened == allowed == ["replay open", "outside open"]
    assert forced == replayed
