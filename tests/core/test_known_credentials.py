"""The credentials of this process and its clients: found wherever they stand, however they are written."""

from __future__ import annotations

import base64
import json
import os
import urllib.parse
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept.canonical import NotCanonical
from intercept.redaction.names import SHORTEST, Environment, credentials_in
from intercept.spi import JSON, STAND_IN
from tests.core.json_values import VALUES, nested
from tests.core.redacting import CALL, asked, redaction

PLAIN = "gateway-" + "Ab1_" * 10
QUOTED = 'pass"word\\' + "0123456789"
FOREIGN = 'p\u00e4ssw\u00f6rd"\\' + "0123456789"
HIDDEN = "[REDACTED:credential:1]"

every_secret = pytest.mark.parametrize("secret", [PLAIN, QUOTED, FOREIGN], ids=["plain", "quotes", "umlauts"])


def test_a_secret_goes_from_values_and_keys_at_any_depth() -> None:
    """Alone or inside of other text; what is no text stays."""
    value: JSON = {"a": [PLAIN, {f"x-{PLAIN}": f"mine: {PLAIN}."}], "n": [1, 1.5, True, None, "clean"]}

    assert redaction(PLAIN).json(value) == {
        "a": [HIDDEN, {f"x-{HIDDEN}": f"mine: {HIDDEN}."}],
        "n": [1, 1.5, True, None, "clean"],
    }


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
@every_secret
def test_a_secret_goes_from_json_inside_of_json(secret: str, level: int, *, ascii_only: bool) -> None:
    """Tool arguments are JSON text in a string, and a tool that calls a tool wraps them again; each level escapes."""
    text = f"mine: {secret}"
    for _ in range(level):
        text = json.dumps({"arguments": text}, ensure_ascii=ascii_only)

    redacted = redaction(secret).text(text)

    for _ in range(level):
        redacted = json.loads(redacted)["arguments"]
    assert redacted == f"mine: {HIDDEN}"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("after", ["", "z", "yz"])
@every_secret
def test_a_secret_goes_from_base64_hex_and_urls(secret: str, before: str, after: str) -> None:
    """In base64 it looks different by what stands before it; nothing is left that it could be made of again."""
    content = f"{before}{secret}{after}".encode()
    forms = [
        base64.b64encode(content).decode(),
        base64.urlsafe_b64encode(content).decode(),
        content.hex(),
        content.hex().upper(),
        urllib.parse.quote(content, safe=""),
    ]

    redacted = [redaction(secret).text(f"<{form}>") for form in forms]

    assert all("[REDACTED:" in text for text in redacted)
    # The neighbours of the secret may leave a few characters of its ends in base64.
    assert all(
        len(text) < len("<[REDACTED:credential:1]>") + 2 * (len(before) + len(after)) * 4 + 8 for text in redacted
    )


@every_secret
def test_a_secret_in_a_request_reaches_neither_its_body_nor_its_hash(secret: str) -> None:
    """In a body, in a query, in a path; the rotated secret makes the same request."""

    def stored(key: str) -> tuple[object, str]:
        call = replace(CALL, path=f"/x/{key}", query=(("q", key),), body={"a": key, "b": json.dumps({"c": key})})
        redacted, request_hash = asked(call, key)
        return redacted.request, request_hash

    request, request_hash = stored(secret)

    assert request == {
        "method": "POST",
        "path": f"/x/{HIDDEN}",
        "query": [["q", HIDDEN]],
        "body": {"a": HIDDEN, "b": json.dumps({"c": HIDDEN})},
    }
    assert stored("rotated-" + "zq" * 12) == (request, request_hash)


def test_a_request_without_a_secret_is_left_as_it_is() -> None:
    """The very object: nothing is copied for nothing."""
    call = replace(CALL, body={"messages": [{"role": "user", "content": "hi"}]})

    assert asked(call, PLAIN)[0] is call


@pytest.mark.parametrize("depth", [100, 300, 600, 900, 2_000, 8_000, 100_000])
def test_a_secret_at_any_depth_is_found_or_the_request_is_refused(depth: int) -> None:
    """No depth that JSON can be written at is too deep to look into."""
    call = replace(CALL, body={"mine": PLAIN, "rest": nested(depth)})

    try:
        redacted, _ = asked(call, PLAIN)
        found = redacted.body["mine"] if isinstance(redacted.body, dict) else None
    except NotCanonical:
        found = HIDDEN  # refused, which is as good
    except RecursionError:
        found = None  # pytest would compare the frames, and all that they hold, for minutes
    assert found == HIDDEN


def test_a_secret_goes_from_bytes() -> None:
    """What is no UTF-8 is searched too."""
    content = b"\xff\xfe" + PLAIN.encode() + b"\x00"

    assert redaction(PLAIN).bytes(content) == b"\xff\xfe" + HIDDEN.encode() + b"\x00"


def test_a_secret_shorter_than_the_shortest_stays() -> None:
    """It is too likely to be part of an ordinary text, as `test` is; and our own stand-in is none."""
    short, long = "a" * (SHORTEST - 1), "b" * SHORTEST

    redacted = redaction(short, long, "", "test", STAND_IN).text(f"{short} {long} test {STAND_IN}")

    assert redacted == f"{short} {HIDDEN} test {STAND_IN}"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_of_secrets_that_hold_each_other_the_longest_goes(order: tuple[int, ...]) -> None:
    """Else the rest of it would be left standing."""
    secrets = [PLAIN, f"{PLAIN}-admin", f"root-{PLAIN}-admin-2026"]

    redacted = redaction(*(secrets[place] for place in order)).text(" ".join(secrets))

    assert redacted == "[REDACTED:credential:1] [REDACTED:credential:2] [REDACTED:credential:3]"


def test_a_known_secret_with_a_shape_has_the_label_of_the_shape() -> None:
    """What is stored does not depend on which variables are set."""
    key = "sk-" + "proj-" + "a1B2" * 12
    texts = [f"mine: {key}.", f'{{"api_key": "{key}"}}', f"Bearer {key}"]

    with_it, without = ([redaction(*known).text(text) for text in texts] for known in ((key,), ()))

    assert with_it == without
    assert all("[REDACTED:openai-key:1]" in text for text in without)


@given(
    secrets=st.lists(st.text("ghijklXYZ019-_", min_size=SHORTEST, max_size=24), max_size=4),
    value=VALUES,
    data=st.data(),
)
def test_redacting_twice_is_redacting_once(secrets: list[str], value: JSON, data: st.DataObject) -> None:
    """And after it no secret is left."""
    texts = data.draw(st.lists(st.sampled_from([*secrets, "a", " ", "x="]), max_size=6))
    whole: JSON = {"value": value, "text": "".join(texts), "".join(texts): json.dumps(texts)}

    once = redaction(*secrets).json(whole)

    assert redaction(*secrets).json(once) == once
    assert not any(secret in json.dumps(once) for secret in secrets)


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "openai_api_key", "Mixed_Api_Key", "GITHUB_TOKEN", "hf_token", "CLIENT_SECRET"),
        *("stripe_secret", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "OPENAI_ADMIN_KEY", "DB_PASSWORD", "GH_PAT"),
    ],
)
def test_a_variable_named_for_a_secret_holds_one(name: str) -> None:
    """In any case: Windows knows no other, and people write both."""
    assert credentials_in({name: PLAIN, "HOME": "/root"}) == [PLAIN]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, PLAIN) for name in ("MAX_TOKENS", "TOKENIZERS_PARALLELISM", "API_KEY_FILE", "SECRET_SANTA", "PATH")),
        *(("SSL_PRIVATE_KEY", path) for path in ("/etc/ssl/private/server.pem", "./keys/of-the-server.pem")),
        ("DEMO_TOKEN", "short"),
    ],
)
def test_other_variables_hold_none(name: str, value: str) -> None:
    """A number or a path in a prompt must not be hidden."""
    assert credentials_in({name: value}) == []


def test_the_environment_is_read_as_it_is_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set, changed and unset while a session runs."""
    environment = Environment()
    before = environment.credentials()
    monkeypatch.setenv("CORE_TEST_TOKEN", PLAIN)
    during = environment.credentials()
    monkeypatch.setenv("CORE_TEST_TOKEN", PLAIN[::-1])
    changed = environment.credentials()
    monkeypatch.delenv("CORE_TEST_TOKEN")

    assert PLAIN not in before
    assert PLAIN in during
    assert PLAIN[::-1] in changed
    assert environment.credentials() == before


@pytest.mark.parametrize("other", [os.fsdecode(b"\xff" * 20), "\ud83d" * 20], ids=["POSIX", "Windows"])
def test_a_variable_that_is_no_utf_8_hinders_nobody(other: str) -> None:
    """An environment may hold any bytes; then no JSON holds this secret, but every other one is found."""
    found = redaction(*credentials_in({"BINARY_TOKEN": other}), PLAIN)

    assert found.text(PLAIN) == HIDDEN
    assert found.bytes(b"\xff" + PLAIN.encode()) == b"\xff" + HIDDEN.encode()
