"""What stands in the place of secrets: numbered, stable, and never touched again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept.redaction.placeholders import PLACEHOLDER, is_hidden
from intercept.spi import JSON
from tests.core.redacting import CALL, asked, redaction

A, B, C = ("sk-" + "proj-" + letters * 20 for letters in ("a1", "b2", "c3"))
GITHUB = "gh" + "p_" + "D4" * 18
ORGANIZATION, OTHER = ("org-" + letters * 12 for letters in ("e5", "f6"))


def test_equal_secrets_have_one_number_and_different_ones_have_their_own() -> None:
    """Counted for each kind, from 1."""
    assert redaction().text(f"{A} {B} {A} {GITHUB} {C}") == (
        "[REDACTED:openai-key:1] [REDACTED:openai-key:2] [REDACTED:openai-key:1] [REDACTED:github-token:1] "
        "[REDACTED:openai-key:3]"
    )


@given(st.permutations(["m", "a", "z"]))
def test_numbers_follow_the_canonical_order_of_a_request(names: list[str]) -> None:
    """Whatever the order in which the application wrote its fields: the stored form is the same."""
    secrets = {"a": A, "m": B, "z": C}
    call = replace(CALL, body={name: secrets[name] for name in names})

    body = asked(call)[0].body

    assert body == {name: f"[REDACTED:openai-key:{number}]" for number, name in enumerate("amz", 1)}
    assert isinstance(body, dict)
    assert list(body) == names  # as the application wrote it


def test_numbers_that_are_there_already_are_not_given_again() -> None:
    """A replayed answer gave the application a placeholder, and it is part of what is asked now."""
    call = replace(CALL, body={"a": A, "b": "[REDACTED:openai-key:1] and [REDACTED:openai-key:3]", "c": B})

    body = asked(call)[0].body

    assert body == {
        "a": "[REDACTED:openai-key:2]",
        "b": "[REDACTED:openai-key:1] and [REDACTED:openai-key:3]",
        "c": "[REDACTED:openai-key:4]",
    }


def test_an_answer_goes_on_from_its_request() -> None:
    """What it repeats has the number of the request, what it adds the next."""
    exchange = redaction()
    exchange.text(f"mine: {A}")

    assert exchange.text(f"yours: {A}, and {B}") == "yours: [REDACTED:openai-key:1], and [REDACTED:openai-key:2]"


@pytest.mark.parametrize(
    "value",
    [
        f"{A} {GITHUB}",
        json.dumps({"api_key": "short", "nested": json.dumps({"password": "hunter2", "n": 5})}),
        f"https://user:{'pw' * 8}@host/path?api_key={'k1' * 8}&page=2",
        f"Authorization: Bearer {'t0' * 12}",
        {"password": 1234, "headers": {"X-Team-Token": "abcdefgh"}, "token": "hello", "organization_id": "acme"},
        f"{ORGANIZATION} {OTHER}",
    ],
)
def test_redacting_again_changes_nothing(value: JSON) -> None:
    """Placeholders are no secrets, wherever they stand."""
    once = redaction().json(value)

    again = redaction()
    again.reserve(json.dumps(once))
    assert again.json(once) == once
    assert once != value


def test_who_asked_is_told_apart_between_requests_too() -> None:
    """An organisation's projects are different requests: their placeholders hold a part of a digest, and no number."""
    first, again, other = (redaction().text(text) for text in (ORGANIZATION, ORGANIZATION, OTHER))

    assert re.fullmatch(r"\[REDACTED:openai-organization:x[0-9a-f]{8}\]", first)
    assert first == again != other
    assert asked(replace(CALL, path=f"/x/{ORGANIZATION}"))[1] != asked(replace(CALL, path=f"/x/{OTHER}"))[1]


_SCANNERS = (
    r"sk-[A-Za-z0-9_-]{8,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"(?i)bearer\s+[a-z0-9._-]{8,}",
    r"(?i)(?:api[_-]?key|secret|token|password)[\"']?\s*[:=]\s*[\"']?[a-z0-9/+_-]{8,}",
    r"AKIA[A-Z0-9]{12,}",
    r"[A-Za-z0-9+/_-]{32,}",
)


def test_placeholders_trip_no_scanner() -> None:
    """Neither by a shape of a key, nor as a value of high entropy behind a name."""
    text = redaction().text(
        f'{{"api_key": "{A}", "password": "hunter2"}} {GITHUB} {ORGANIZATION} Bearer {"t0" * 12} '
        f"https://u:{'p' * 9}@h/ AWS_SECRET_ACCESS_KEY={'Ab1/' * 10}"
    )

    assert len(PLACEHOLDER.findall(text)) == 7
    assert [scanner for scanner in _SCANNERS if re.search(scanner, text)] == []


@given(st.lists(st.sampled_from([A, B, C, GITHUB, "word", "[REDACTED:openai-key:2]", "[REDACTED"]), max_size=8))
def test_the_hash_does_not_depend_on_which_secrets_are_hidden_already(texts: list[str]) -> None:
    """A conversation that holds placeholders, because its answers were replayed, is the one that was recorded."""
    recorded = replace(CALL, body={"messages": [{"content": text} for text in texts]})
    stored, request_hash = asked(recorded)
    before, after = (cast("Any", call.body)["messages"] for call in (stored, recorded))

    for half in range(len(texts) + 1):
        messages: JSON = [*before[:half], *after[half:]]
        assert asked(replace(CALL, body={"messages": messages}))[1] == request_hash
    assert asked(stored)[1] == request_hash


@given(st.lists(st.text("ab ", max_size=4), min_size=2, max_size=5), st.text("abc", min_size=1, max_size=3))
def test_a_text_is_known_again_behind_its_placeholders(shown: list[str], secret: str) -> None:
    """Whatever stands between them; not where what is shown is another text, or nothing is hidden."""
    redacted = "[REDACTED:pattern:1]".join(shown)

    assert is_hidden(redacted, secret.join(shown))
    assert not is_hidden(redacted, f"X{secret.join(shown)}" if shown[0] else "X" * (len(shown) - 2))
    assert not is_hidden("".join(shown), "".join(shown))


def test_many_placeholders_are_compared_in_no_time() -> None:
    """Of a text that nearly fits, everywhere."""
    assert not is_hidden("a[REDACTED:pattern:1]" * 2000 + "c", "a" * 100_000)
