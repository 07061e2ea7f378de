"""The demo with the keys in the environment; a loopback provider plays the real ones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from intercept.loopback import Answer, Provider
from intercept_demo import replies, requirements

from .shell import KEY_SHAPED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .shell import Ran, Shell

OPENAI_KEY = "sk-" + "proj-" + "a" * 40
ANTHROPIC_KEY = "sk-" + "ant-" + "b" * 40


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Run a provider for one test."""
    with Provider() as running:
        yield running


def _environment(provider: Provider) -> dict[str, str]:
    return {
        "OPENAI_API_KEY": OPENAI_KEY,
        "ANTHROPIC_API_KEY": ANTHROPIC_KEY,
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "ANTHROPIC_BASE_URL": provider.url,
    }


def test_live_records_what_the_environment_points_at(intercept: Shell, provider: Provider) -> None:
    """The providers see the keys and models given, once; the replay reaches them no more."""
    arguments = ("--openai-model", "gpt-mine", "--anthropic-model", "claude-mine")

    ran = intercept("demo", "--live", *arguments, env=_environment(provider))

    assert (ran.code, ran.err) == (0, "")
    assert "from the real providers" in ran.out
    assert provider.hits == 7
    assert {request.key for request in provider.requests} == {OPENAI_KEY, ANTHROPIC_KEY}
    assert {request.json()["model"] for request in provider.requests} == {"gpt-mine", "claude-mine"}
    text = (ran.folder / "intercept-demo.jsonl").read_text(encoding="utf-8")
    assert KEY_SHAPED.findall(text + ran.out) == []


@pytest.mark.slow
def test_an_answer_the_terminal_cannot_show_does_not_end_it(intercept: Shell, provider: Provider) -> None:
    """What the encoding of the output lacks becomes a question mark."""
    provider.answer(
        replies.chat(1, "gpt", replies.tool_call("get_weather", {"city": "Lisbon"}), tokens=(1, 1)),
        replies.chat(2, "gpt", {"content": "Rain \N{UMBRELLA}"}, tokens=(1, 1)),
        path="/v1/chat/completions",
    )

    ran = intercept("demo", "--live", env={**_environment(provider), "PYTHONIOENCODING": "ascii"})

    assert (ran.code, ran.err) == (0, "")
    assert "\n  Rain ?\n" in ran.out


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({}, "OPENAI_API_KEY, ANTHROPIC_API_KEY"),
        ({"OPENAI_API_KEY": OPENAI_KEY, "ANTHROPIC_API_KEY": ""}, "ANTHROPIC_API_KEY"),
    ],
)
def test_live_without_a_key_names_what_is_missing(intercept: Shell, keys: dict[str, str], named: str) -> None:
    """A key that is not set, or empty, is named before anything is sent or written."""
    ran = intercept("demo", "--live", env=keys)

    assert (ran.code, ran.out) == (2, "")
    assert f"not set: {named}.\n" in ran.err
    assert list(ran.folder.iterdir()) == []


def test_live_needs_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who records the real providers needs no stand-in, and so not what it is made of."""
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI_KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", ANTHROPIC_KEY)
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    requirements.check(live=True)


@pytest.mark.parametrize("steps_before", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_provider_that_refuses_ends_the_demo_in_words(
    intercept: Shell, provider: Provider, demo: Ran, steps_before: int
) -> None:
    """The error names the step and what the provider said; the old cassette stays, and no key is shown."""
    old = intercept.folder / "intercept-demo.jsonl"
    before = (demo.folder / "intercept-demo.jsonl").read_bytes()
    old.write_bytes(before)
    if steps_before:
        provider.answer(Answer.anthropic_error(400, message="no credit"), path="/v1/messages")
    else:
        provider.require_key = "another"

    ran = intercept("demo", "--live", env=_environment(provider))

    said = ('the step "Stream, delta by delta"', "no credit") if steps_before else ('the step "Tool loop"', "401")
    assert ran.code == 2
    assert ran.err.startswith(f"error: {said[0]} could not be recorded: ")
    assert said[1] in ran.err
    assert "Traceback" not in ran.err
    assert KEY_SHAPED.findall(ran.err) == []
    assert old.read_bytes() == before
