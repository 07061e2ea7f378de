"""`redact=`: what users want hidden beside what always is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.errors import ConfigError
from intercept.loopback import Provider
from intercept.spi import JSON
from tests.conformance.callers import CALLERS, Caller, ask, each, said, settled
from tests.conftest import Canary
from tests.core.redacting import CALL, answered, asked, redaction

BADGE = "B-" + "12345"
EMAIL = "ada.lovelace" + "@" + "example.org"
PHONE = "+44 20 7946 " + "0958"

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _renamed(value: Any, where: str) -> Any:
    """Replace a badge in any part."""
    return json.loads(json.dumps(value).replace(BADGE, "a badge"))


def _played(
    caller: Caller, url: str, cassette: Path, mode: str, *, redact: Any, text: str
) -> tuple[str, str, list[str]]:
    async def scenario(client: Any) -> tuple[str, str]:
        plain = said(await ask(client, text))
        stream = await each(await ask(client, text, stream=True))
        return plain, "".join(json.dumps(event.model_dump(mode="json")) for event in stream)

    with intercept.use_cassette(cassette, mode=mode, redact=redact) as session:
        plain, streamed = caller.run(scenario, caller.client(url))
    return plain, streamed, [played.request_hash for played in session.calls]


@every_caller
@pytest.mark.parametrize(
    ("redact", "other"),
    [
        (re.compile(r"B-\d+"), "B-99999"),
        ("$.messages[*].content", "something else"),
        (_renamed, "a badge"),
        ([re.compile(r"B-\d+"), _renamed, "$..nothing"], "a badge"),
    ],
    ids=["pattern", "path", "hook", "several"],
)
def test_a_wish_holds_for_disk_and_identity(
    caller: Caller, redact: Any, other: str, *, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """The application keeps its answer while recording; what is hidden does not tell requests apart."""
    recorded = _played(caller, provider.url, cassette, "record", redact=redact, text=BADGE)
    replayed = _played(caller, canary.url, cassette, "replay", redact=redact, text=BADGE)

    assert BADGE in recorded[0]
    assert replayed[2] == recorded[2]
    rows = [json.loads(line) for line in cassette.read_text().splitlines()[1:]]
    assert BADGE not in json.dumps([row["request"] for row in rows])
    assert BADGE not in json.dumps(rows) or redact == "$.messages[*].content"  # the answer is another place
    assert _played(caller, canary.url, cassette, "replay", redact=redact, text=other)[2] == recorded[2]
    with pytest.raises(intercept.NeverRecorded):
        _played(caller, canary.url, cassette, "replay", redact=re.compile("never"), text="another question")


def test_a_path_hides_whatever_stands_there() -> None:
    """Texts, numbers and whole objects, in requests, answers and events; equal ones under one number."""
    body: dict[str, JSON] = {"user": {"name": "Ada", "age": 36}, "also": {"name": "Ada"}, "keep": [1]}
    paths = ["$.user", "$..name"]

    request = asked(CALL.__class__("a", "a", "", "POST", "/", body=body), wishes=paths)[0].body
    events = answered("application/json", json.dumps(body).encode(), wishes=["$.keep[0]", "$.also.name"])

    assert request == {
        "user": "[REDACTED:path:1]",
        "also": {"name": "[REDACTED:path:2]"},
        "keep": [1],
    }
    assert events == [
        {
            "json": {"user": body["user"], "also": {"name": "[REDACTED:path:2]"}, "keep": ["[REDACTED:path:1]"]},
            "style": "spaced",
        }
    ]


def test_hooks_come_before_all_that_is_built_in() -> None:
    """What they return is searched like everything else."""
    key = "sk-" + "a1" * 20

    body = asked(
        CALL.__class__("a", "a", "", "POST", "/", body={"x": "1"}),
        wishes=[lambda value, _: {**value, "body": {"x": key}}],
    )[0].body

    assert body == {"x": "[REDACTED:openai-key:1]"}


def test_a_hook_sees_one_part_at_a_time_and_a_copy_of_it(provider: Provider, cassette: Path) -> None:
    """The request as a row holds it, each event, each kept header; once a live call, never when rows are read."""
    caller, seen = CALLERS[0], list[tuple[str, Any]]()

    def hook(value: Any, where: str) -> Any:
        seen.append((where, json.loads(json.dumps(value))))
        if isinstance(value, dict):
            value.clear()
            return seen[-1][1]
        return value

    def played(mode: str) -> Any:
        async def scenario(client: Any) -> Any:
            return said(await ask(client))

        with intercept.use_cassette(cassette, mode=mode, redact=hook):
            return caller.run(scenario, caller.client(provider.url))

    recorded = played("record")
    recording = seen.copy()
    seen.clear()

    assert played("replay") == recorded
    assert [where for where, _ in recording] == ["request", "event", "header", "header"]
    assert recording[0][1]["path"] == "/chat/completions"
    assert [where for where, _ in seen] == ["request"]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"mail {EMAIL} or call {PHONE}.", "mail [REDACTED:email:1] or call [REDACTED:phone:1]."),
        (f"{EMAIL.upper()}, {EMAIL}", "[REDACTED:email:1], [REDACTED:email:2]"),
        ("@decorator, a@b, 1+1=2, +12, user@localhost", "@decorator, a@b, 1+1=2, +12, user@localhost"),
    ],
)
def test_addresses_and_numbers_of_people_go_on_request_alone(text: str, hidden: str) -> None:
    """They may be what the conversation is about."""
    assert redaction().text(text) == text
    assert redaction(wishes=[intercept.EMAIL, intercept.PHONE]).text(text) == hidden


@every_caller
def test_a_pattern_finds_what_is_split_over_deltas(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Like every rule."""

    async def scenario(client: Any) -> Any:
        return await each(await settled(ask(client, f"please repeat {BADGE} to me", stream=True)))

    with intercept.use_cassette(cassette, mode="record", redact=re.compile("B-12345 to")):
        caller.run(scenario, caller.client(provider.url))

    content = cassette.read_text()
    assert "B-" not in content
    assert content.count("[REDACTED:custom:1]") >= 2  # asked and answered


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("$.a[", "is no JSON path"),
        ("a b c", "is no JSON path"),
        (5, "holds int 5"),
        (re.compile(b"x"), "holds Pattern"),
    ],
)
def test_a_wish_that_cannot_be_one_is_refused(wish: Any, told: str, cassette: Path) -> None:
    """At once, before anything is recorded."""
    with pytest.raises(ConfigError, match=told), intercept.use_cassette(cassette, mode="record", redact=wish):
        pass
