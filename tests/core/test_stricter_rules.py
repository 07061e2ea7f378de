"""Rules that have become stricter since a recording: it is known again by what its requests would be today."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import Canary

_QUESTIONS = ("my badge is B-12345", "my badge is B-99999", "hello", f"{'sk-' + 'a1' * 20} and badge B-12345")
_BADGE = re.compile(r"B-\d{5}")


def _asked(
    caller: Caller, url: str, cassette: Path | str, mode: str, questions: tuple[str, ...], **settings: Any
) -> Any:
    async def scenario(client: Any) -> list[str]:
        return [said(await ask(client, question)) for question in questions]

    with intercept.use_cassette(cassette, mode=mode, **settings) as session:
        texts = caller.run(scenario, caller.client(url))
    return texts, [played.live for played in session.calls]


def _hooked(value: Any, where: str) -> Any:
    return json.loads(json.dumps(value).replace("B-12345", "a badge").replace("B-99999", "a badge"))


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
@pytest.mark.parametrize("layout", ["cassette.jsonl", "cassette/"])
@pytest.mark.parametrize("redact", [_BADGE, _hooked], ids=["pattern", "hook"])
def test_an_old_recording_replays_under_new_rules(
    caller: Caller, layout: str, redact: Any, *, provider: Provider, canary: Canary, tmp_path: Path
) -> None:
    """Two requests that the rule makes equal are one request with two answers, in the order of recording."""
    cassette = f"{tmp_path}/{layout}"
    recorded, _ = _asked(caller, provider.url, cassette, "record", _QUESTIONS)

    replayed, live = _asked(caller, canary.url, cassette, "replay", _QUESTIONS, redact=redact)

    assert [text.split()[0] for text in replayed] == [text.split()[0] for text in recorded]
    assert live == [False] * 4


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
@pytest.mark.usefixtures("no_run")
def test_an_update_replaces_rows_that_other_rules_named(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """And what it adds stands beside rows that were redacted before; both are found."""
    _asked(caller, provider.url, cassette, "record", _QUESTIONS)

    _asked(caller, provider.url, cassette, "update", _QUESTIONS[:2], redact=_BADGE)

    assert len(cassette.read_text().splitlines()) == 1 + 4
    assert _asked(caller, canary.url, cassette, "replay", _QUESTIONS, redact=_BADGE)[1] == [False] * 4


def test_sessions_of_one_run_with_other_rules_keep_what_the_others_recorded(
    provider: Provider, canary: Canary, cassette: Path
) -> None:
    """A test with a rule of its own shares a cassette with one that has none."""
    caller = CALLERS[0]
    _asked(caller, provider.url, cassette, "record", _QUESTIONS[:1])
    _asked(caller, provider.url, cassette, "record", _QUESTIONS[2:3], redact=_BADGE)

    assert _asked(caller, canary.url, cassette, "replay", _QUESTIONS[:1])[1] == [False]
    assert _asked(caller, canary.url, cassette, "replay", _QUESTIONS[:3:2], redact=_BADGE)[1] == [False] * 2


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_extending_knows_old_rows_again(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Nothing is asked anew that is there already."""
    _asked(caller, provider.url, cassette, "record", _QUESTIONS[:2])

    live = _asked(caller, provider.url, cassette, "extend", _QUESTIONS, redact=_BADGE)[1]
    again = _asked(caller, provider.url, cassette, "extend", _QUESTIONS, redact=_BADGE)[1]

    assert live == [False, False, True, True]
    assert again == [False] * 4


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_a_row_that_was_edited_is_refused_under_other_rules_too(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """It still tells which request it claims to be."""
    _asked(caller, provider.url, cassette, "record", ("hello",))
    cassette.write_text(cassette.read_text().replace('"content":"hello"', '"content":"bye"'))

    with pytest.raises(intercept.CassetteError, match="it does not fit its request_hash"):
        _asked(caller, canary.url, cassette, "replay", ("hello",), redact=_BADGE)
