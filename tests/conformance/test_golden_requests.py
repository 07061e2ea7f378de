"""The identity of requests as application code makes them: pinned, so that recordings of today answer for years."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import anthropic
import openai
import pytest

import intercept
from intercept.loopback import Provider
from intercept.loopback.received import Received
from tests.conformance.callers import CALLERS, Caller
from tests.conformance.golden import ANTHROPIC, OPENAI, Ask

_PINNED: dict[str, str] = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
_CASES: dict[str, tuple[Caller, Ask]] = {
    f"{caller.sdk}: {name}": (caller, ask)
    for caller, asks in ((CALLERS[0], OPENAI), (CALLERS[2], ANTHROPIC))
    for name, ask in asks.items()
}
_COUNTING = ("anthropic-beta", "openai-beta")


def _hash_of_the_wire(caller: Caller, received: Received) -> str:
    """Hash what arrived, by the rule as README and design tell it; without a line of the product."""
    path = received.path.removeprefix("/v1") if caller.sdk == "openai" else received.path
    identity: dict[str, Any] = {
        "adapter": caller.sdk,
        "provider": caller.sdk,
        "method": received.method,
        "path": path,
        "query": sorted([name, value] for name, value in parse_qsl(received.query, keep_blank_values=True)),
        "headers": [[name, value] for name, value in received.headers if name in _COUNTING],
        "body": json.loads(received.body) if received.body else None,
    }
    told = {name: value for name, value in identity.items() if value not in (None, [])}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def test_every_case_is_pinned() -> None:
    """Sixty at least."""
    assert _PINNED.keys() == _CASES.keys()
    assert len(_PINNED) >= 60


@pytest.mark.parametrize("case", _CASES)
def test_a_request_is_known_by_the_hash_it_always_had(case: str, provider: Provider, cassette: Path) -> None:
    """On the oldest and the newest SDK alike, and as it follows from what goes over the wire."""
    caller, ask = _CASES[case]
    client = caller.client(provider.url, max_retries=0)

    with client, intercept.use_cassette(cassette, mode="record") as session:
        try:
            answered = ask(client)
        except (openai.APIStatusError, anthropic.APIStatusError):
            answered = None
        if isinstance(answered, (openai.Stream, anthropic.Stream)):
            answered.close()

    assert session.calls[-1].request_hash == _PINNED[case]
    received = provider.requests[-1]
    if "multipart" not in (received.header("content-type") or ""):
        assert _hash_of_the_wire(caller, received) == _PINNED[case]


_SAME = (
    ("openai: a question", "openai: temperature not given", "openai: a header of one's own"),
    ("openai: keys in one order", "openai: keys in another order"),
    ("openai: an array in one order", "openai: a tuple"),
    ("openai: another query", "openai: the same query in another order"),
    ("anthropic: a question", "anthropic: not given"),
)


def test_no_two_of_them_are_one_but_those_that_say_the_same() -> None:
    """What looks alike is told apart, and what is the same on the wire is the same."""
    for names in _SAME:
        assert len({_PINNED[name] for name in names}) == 1, names
    doubles = sum(len(names) - 1 for names in _SAME)
    assert len(set(_PINNED.values())) == len(_PINNED) - doubles
