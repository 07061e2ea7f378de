"""What a failed test shows: the test, the application, and our words; no header, key or prompt of theirs."""

from __future__ import annotations

import json
from pathlib import Path

import openai
import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import live_environment
from tests.core.secrets import Maker
from tests.plugin.test_runs import project_of, run

_TESTS = """
    import logging
    import os

    import intercept
    import {sdk}
    import pytest

    logging.basicConfig(level=logging.DEBUG)

    class Application:
        def __init__(self):
            self.client = {sdk}.{kind}(max_retries=0)

        def ask(self):
            return self.client.{resource}.create(
                model="m",
                messages=[{{"role": "user", "content": "prompt-" + os.environ["MARKER"]}}],
                extra_headers={{"X-Internal-Token": os.environ["MARKER"]}},
                extra_query={{"api_key": os.environ["MARKER"]}},
                **({more}),
            )

    def test_asks():
        application = Application()
        with intercept.use_cassette("asked.jsonl"):
            try:
                application.ask()
            except {sdk}.APIStatusError as error:
                assert os.environ["LIVE"] == "0" or os.environ["MARKER"] in str(error)
"""
_OTHER_WAYS_TO_MISS = """
    import asyncio
    import os
    import unittest

    import anyio
    import intercept
    import openai
    import pytest

    def ask():
        return openai.OpenAI(max_retries=0).chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": "prompt-" + os.environ["MARKER"]}],
            extra_headers={"X-Internal-Token": os.environ["MARKER"]},
            extra_query={"api_key": os.environ["MARKER"]},
        )

    @intercept.use_cassette("asked.jsonl")
    def test_as_cause():
        try:
            ask()
        except BaseException as error:
            raise RuntimeError("the application failed") from error

    @intercept.use_cassette("asked.jsonl")
    def test_as_context():
        try:
            ask()
        finally:
            raise KeyError("while it failed")

    @intercept.use_cassette("asked.jsonl")
    def test_in_a_group():
        async def main():
            async with anyio.create_task_group() as group:
                async def one():
                    await anyio.lowlevel.checkpoint()
                    ask()

                group.start_soon(one)

        anyio.run(main)

    @intercept.use_cassette("asked.jsonl")
    def test_below_other_words():
        try:
            ask()
        except BaseException as error:
            try:
                raise ValueError("it would not")
            except ValueError as other:
                other.__context__ = error
                raise LookupError("nothing found") from other

    @pytest.fixture
    def answered():
        with intercept.use_cassette("asked.jsonl"):
            yield ask()

    def test_in_a_fixture(answered):
        pass

    class TestOldStyle(unittest.TestCase):
        def test_method(self):
            with intercept.use_cassette("asked.jsonl"):
                ask()

        def test_part(self):
            with self.subTest("a part"), intercept.use_cassette("asked.jsonl"):
                ask()
"""
_SDKS = {
    "openai": {"sdk": "openai", "kind": "OpenAI", "resource": "chat.completions", "more": "dict()"},
    "anthropic": {"sdk": "anthropic", "kind": "Anthropic", "resource": "messages", "more": "dict(max_tokens=9)"},
}


@pytest.mark.parametrize("sdk", [pytest.param("openai", marks=pytest.mark.slow), "anthropic"])
def test_neither_a_recorded_error_nor_a_miss_shows_a_secret(sdk: str, provider: Provider, tmp_path: Path) -> None:
    """A 401 that quotes the key is recorded, then missed; with all local variables and every log line shown."""
    marker = "marker" + "-5ecr3t" * 4
    project = project_of(tmp_path, _TESTS.format(**_SDKS[sdk]))
    make = Answer.openai_error if sdk == "openai" else Answer.anthropic_error
    provider.answer(make(401, message=f"Incorrect API key provided: {marker}."))
    # The log lines of the SDK and its HTTP library are theirs: ours alone are looked at.
    show = ("-rA", "--showlocals", "--log-level=DEBUG", "-o", "log_cli=false", "--show-capture=no")
    live = live_environment(provider)

    recorded = run(project, "--intercept=record", *show, **live, MARKER=marker, LIVE="1", GATEWAY_TOKEN=marker)
    cassette = (project / "asked.jsonl").read_text()
    (project / "asked.jsonl").write_text(cassette.splitlines()[0] + "\n")
    missed = run(project, *show, **live, MARKER=marker, LIVE="0", GATEWAY_TOKEN=marker)

    assert "1 passed" in recorded.stdout, recorded.stdout
    assert "NeverRecorded" in missed.stdout, missed.stdout
    assert "application.ask()" in missed.stdout
    assert "_base_client" not in missed.stdout
    assert [name for name, text in _texts(recorded, missed, cassette).items() if "5ecr3t" in text] == []


def test_no_way_to_miss_shows_what_was_asked(provider: Provider, tmp_path: Path) -> None:
    """The miss as cause, as context, in a group, in a fixture, in a `unittest.TestCase`, with all local variables."""
    marker = "marker" + "-5ecr3t" * 4
    project = project_of(tmp_path, _OTHER_WAYS_TO_MISS)
    provider.answer(Answer.openai_error(401, message="No."))
    with intercept.use_cassette(project / "asked.jsonl", mode="record"), pytest.raises(openai.AuthenticationError):
        openai.OpenAI(base_url=provider.url, api_key="k").models.list()

    missed = run(project, "-rN", "--showlocals", OPENAI_API_KEY=marker, MARKER=marker)

    assert missed.stdout.count("intercept.errors.NeverRecorded: openai POST") == 7, missed.stdout
    assert "_base_client" not in missed.stdout
    assert "5ecr3t" not in missed.stdout + missed.stderr


def _texts(recorded: object, missed: object, cassette: str) -> dict[str, str]:
    found = {"cassette": cassette, "joined": json.dumps(cassette)}
    for name, ran in (("recorded", recorded), ("missed", missed)):
        found |= {f"{name} {stream}": getattr(ran, stream) for stream in ("stdout", "stderr")}
    return found


_NAMED_BY_A_KEY = """
    import os

    import intercept
    import openai
    import pytest

    def about(key):
        word = {os.environ["ONE"]: "one", os.environ["OTHER"]: "other"}.get(key, key)
        asked = [{"role": "user", "content": word}]
        answered = openai.OpenAI(api_key="k").chat.completions.create(model="m", messages=asked)
        assert answered.choices[0].message.content.endswith(word)

    @pytest.mark.parametrize("key", [os.environ["ONE"], os.environ["OTHER"], "plain"])
    @intercept.use_cassette
    def test_own(key):
        about(key)

    @pytest.mark.parametrize("key", [os.environ["ONE"], os.environ["OTHER"], "plain"])
    @intercept.use_cassette("cassettes/shared.jsonl")
    def test_shared(key):
        about(key)
"""


@pytest.mark.slow
def test_a_test_that_is_named_by_a_secret_names_neither_file_nor_row(provider: Provider, tmp_path: Path) -> None:
    """A key as a parameter is part of the test's id; the recordings are found again, each by its own test."""
    keys = {name: f"sk-proj-{Maker(name).draw(64)}" for name in ("ONE", "OTHER")}
    project = project_of(tmp_path, _NAMED_BY_A_KEY)

    recorded = run(project, "--intercept=record", **live_environment(provider), **keys)
    replayed = run(project, **keys)

    assert "6 passed" in recorded.stdout, recorded.stdout
    assert "6 passed" in replayed.stdout, replayed.stdout
    files = sorted(project.rglob("*.jsonl"))
    assert len(files) == 4
    assert "test_shared[[REDACTED:openai-key:1]]" in (project / "cassettes" / "shared.jsonl").read_text()
    written = "".join(f"{path}\n{path.read_text()}" for path in files)
    assert [name for name, key in keys.items() if key[12:28] in written] == []
