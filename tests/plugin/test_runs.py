"""Test runs: one command records, the next replays, whoever shares a cassette with whom."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from intercept.loopback import Provider
from tests.conformance.callers import live_environment

_TESTS = """
import asyncio
import anthropic, openai, pytest
import intercept

def ask_openai(text):
    reply = openai.OpenAI().chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    return reply.choices[0].message.content

def ask_anthropic(text):
    ask = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]}
    return anthropic.Anthropic().messages.create(**ask).content[0].text

async def ask_async(text):
    async with openai.AsyncOpenAI() as client:
        reply = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
    return reply.choices[0].message.content

@pytest.mark.parametrize("word", ["one", "two/three", "two three"])
@intercept.use_cassette
def test_own_names(word):
    assert ask_openai(word).endswith(f"to: {word}")
    assert ask_anthropic(word).endswith(f"to: {word}")

@intercept.use_cassette("cassettes/shared.jsonl")
@pytest.mark.parametrize("word", ["one", "two", "three"])
def test_parameters_of_one(word):
    assert ask_openai(word).endswith(f"to: {word}")

@intercept.use_cassette("cassettes/shared.jsonl")
def test_another_on_the_same_name():
    assert ask_anthropic("four").endswith("to: four")

@intercept.use_cassette("cassettes/shared.jsonl")
def test_a_coroutine_inside():
    assert asyncio.run(ask_async("five")).endswith("to: five")
    assert intercept.current_session().calls[0].status == 200
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with tests of its own."""
    return project_of(tmp_path, _TESTS)


def project_of(folder: Path, tests: str) -> Path:
    """Make a project of one test module."""
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "tests").mkdir()
    (folder / "tests" / "test_app.py").write_text(textwrap.dedent(tests))
    return folder


def run(project: Path, *arguments: str, cwd: str = ".", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in the project as a person does."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=project / cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


_OFFLINE = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


@pytest.mark.parametrize("way", ["environment", pytest.param("option", marks=pytest.mark.slow)])
def test_one_run_records_and_the_next_replays(way: str, project: Path, provider: Provider) -> None:
    """Parameters under names of their own, and four tests on one name: all replay, without key and network."""
    arguments, mode = ([], {"INTERCEPT_MODE": "record"}) if way == "environment" else (["--intercept=record"], {})
    recorded = run(project, *arguments, **mode, **live_environment(provider))
    hits = provider.hits
    replayed = run(project, **_OFFLINE)
    alone = run(project, "tests/test_app.py::test_another_on_the_same_name", **_OFFLINE)
    elsewhere = run(project, str(project), cwd="tests", **_OFFLINE)

    assert "8 passed" in recorded.stdout, recorded.stdout + recorded.stderr
    assert hits == 11
    assert "8 passed" in replayed.stdout, replayed.stdout
    assert "1 passed" in alone.stdout, alone.stdout
    assert "8 passed" in elsewhere.stdout, elsewhere.stdout
    assert provider.hits == hits
    files = sorted(path.relative_to(project / "cassettes").as_posix() for path in project.rglob("*.jsonl"))
    assert len(files) == 4
    assert files[0] == "shared.jsonl"
    assert all(name.startswith("tests/test_app/test_own_names-") for name in files[1:])


@pytest.mark.slow
def test_recording_again_replaces_what_the_run_before_recorded(project: Path, provider: Provider) -> None:
    """Also where several tests add to one cassette: the file does not grow from run to run."""
    run(project, "--intercept=record", **live_environment(provider))
    first = (project / "cassettes" / "shared.jsonl").read_text().count("\n")
    run(project, "--intercept=record", **live_environment(provider))

    assert (project / "cassettes" / "shared.jsonl").read_text().count("\n") == first == 6


@pytest.mark.slow
def test_a_failing_test_drops_its_own_rows_only(project: Path, provider: Provider) -> None:
    """The others on the same cassette keep theirs."""
    tests = project / "tests" / "test_app.py"
    tests.write_text(
        tests.read_text()
        + textwrap.dedent(
            """
        @intercept.use_cassette("cassettes/shared.jsonl")
        def test_failing():
            ask_openai("six")
            raise ValueError("no good")
        """
        )
    )

    done = run(project, "--intercept=record", **live_environment(provider))

    assert "1 failed, 8 passed" in done.stdout, done.stdout
    assert (project / "cassettes" / "shared.jsonl").read_text().count("\n") == 6
    assert (project / "cassettes" / "shared.partial.jsonl").read_text().count("\n") == 2


def test_a_missing_cassette_fails_with_the_command_that_records_it(project: Path, provider: Provider) -> None:
    """Also in CI, with a key and a provider at hand: nothing is sent, nothing is made."""
    done = run(project, "-k", "test_another", CI="true", **live_environment(provider))

    assert "1 failed" in done.stdout
    assert f"{project}/cassettes/shared.jsonl: there is no such cassette to replay" in done.stdout
    assert "pytest tests/test_app.py::test_another_on_the_same_name --intercept=record" in done.stdout
    assert "_pytest" not in done.stdout  # no step of anybody's: none is of the test
    assert provider.hits == 0
    assert not (project / "cassettes").exists()


def test_an_unknown_mode_lists_the_modes(project: Path) -> None:
    """Whoever set it is named."""
    done = run(project, "-k", "test_another", INTERCEPT_MODE="replya")

    assert (
        'mode: "replya", by INTERCEPT_MODE, is no mode. The modes: replay, record, update, extend, off.' in done.stdout
    )


@pytest.mark.slow
def test_without_sessions_a_run_is_as_if_the_plugin_were_not_there(project: Path) -> None:
    """It can also be switched off."""
    (project / "tests" / "test_app.py").write_text("def test_nothing(): pass\n")

    assert "1 passed" in run(project).stdout
    assert "1 passed" in run(project, "-p", "no:intercept").stdout


@pytest.mark.slow
def test_tests_that_ask_the_same_on_one_cassette_get_their_own_answers_back(project: Path, provider: Provider) -> None:
    """In any order and alone, and each time round a loop; one that recorded nothing may use what others did."""
    (project / "tests" / "test_app.py").write_text(
        textwrap.dedent(
            """
            import os, pathlib
            import openai, pytest
            import intercept

            def told(name):
                reply = openai.OpenAI().chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
                text, kept = reply.choices[0].message.content, pathlib.Path(__file__).with_name(f"{name}.txt")
                if os.environ.get("INTERCEPT_MODE") == "record":
                    kept.write_text(text)
                assert text == kept.read_text()

            @intercept.use_cassette("shared.jsonl")
            @pytest.mark.parametrize("name", ["a", "b", "c"])
            def test_parameters(name):
                told(name)

            @intercept.use_cassette("shared.jsonl")
            def test_other():
                told("other")

            def test_loop():
                for name in ("first", "second"):
                    with intercept.use_cassette("shared.jsonl"):
                        told(name)
            """
        )
    )
    recorded = run(project, INTERCEPT_MODE="record", **live_environment(provider))
    everything = "tests/test_app.py::test_loop tests/test_app.py::test_other tests/test_app.py::test_parameters"
    backwards = run(project, *everything.split(), **_OFFLINE)
    alone = run(project, "tests/test_app.py::test_parameters[c]", **_OFFLINE)
    tests = project / "tests" / "test_app.py"
    tests.write_text(
        tests.read_text().replace("def test_other", "def test_renamed").replace('told("other")', 'told("a")')
    )
    renamed = run(project, "-k", "renamed", **_OFFLINE)

    assert "5 passed" in recorded.stdout, recorded.stdout
    assert "5 passed" in backwards.stdout, backwards.stdout
    assert "1 passed" in alone.stdout, alone.stdout
    assert "1 passed" in renamed.stdout, renamed.stdout
    assert provider.hits == 6
