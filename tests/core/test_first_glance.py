"""The quick look at a text says no only where the thorough one finds nothing."""

from __future__ import annotations

import base64
import json
import time

import pytest

from intercept.redaction.finding import Finder
from intercept.redaction.rules import IDENTITIES, RULES

RANDOM = "q7" * 8
SECRETS = {
    "bearer": f"bearer {RANDOM}",
    "basic": "Basic " + base64.b64encode(b"user:password").decode(),
    "private key": "-----BEGIN PRIVATE KEY-----\nq7\n-----END PRIVATE KEY-----",
    "SigV4": f"AWS4-HMAC-SHA256 Credential=a/b, Signature={'0f' * 32}",
    "Amazon's parameter": "https://localhost/?X-Amz-Security-Token=" + "q7" * 4,
    "escapes": "".join(f"\\u{ord(each):04x}" for each in "sk-proj-" + RANDOM),
    "percents": "".join(f"%{ord(each):02x}" for each in "sk-proj-" + RANDOM),
    "a field of tokens": json.dumps({"access_token": "q7"}),
    "a pat": json.dumps({"pat": "q7q7"}),
    "an assignment of a token": f"AUTH_TOKEN = {RANDOM}",
}


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS.keys())
def test_what_is_found_is_suspected(text: str) -> None:
    """As it is, and as JSON of JSON writes it."""
    finder = Finder()

    for written in (text, json.dumps(text), json.dumps({"a": json.dumps([text])})):
        assert finder.hits(written)
        assert finder.suspects(written)


def test_an_ordinary_answer_is_not_suspected() -> None:
    """Counts of tokens and paths are in all of them."""
    answer = {"usage": {"total_tokens": 9, "completion_tokens_details": {"audio_tokens": 0}}, "path": "/a/b"}

    assert not Finder().suspects(json.dumps(answer))


@pytest.mark.slow
@pytest.mark.parametrize("again", ["AWS4-HMAC-SHA256 ", "a_", "a-", "sk-", "eyJa", "://a", "cookie: ", "api_key=", "a"])
def test_no_text_makes_a_rule_slow(again: str) -> None:
    """A text that begins a secret again and again, 100 KB of it."""
    text = again * (100_000 // len(again))

    for rule in (*RULES, *IDENTITIES):
        began = time.process_time()
        list(rule.matches(text))

        assert time.process_time() - began < 0.15, rule.label  # some 0.04, on a machine with nothing else to do
