"""Literal secrets: found wherever they stand, gone before anything is hashed, written or told."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import intercept
from intercept.canonical import NotCanonical
from intercept.identity import identified
from intercept.loopback import Answer, Provider
from intercept.redaction import SHORTEST, Redactor, environment_secrets
from intercept.spi import JSON, REDACTED, Call
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said
from tests.conftest import Canary
from tests.core.json_values import VALUES, nested

PLAIN = "sk-proj-" + "Ab1_" * 10
QUOTED = 'pass"word\\' + "0123456789"
FOREIGN = 'pässwörd"\\' + "0123456789"
ENVIRONMENT = "gh" + "p_" + "E1" * 18
GATEWAY = "gw-" + "H2" * 20
_CALL = Call("openai", "openai", "POST /chat/completions", "POST", "/chat/completions")

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def test_a_secret_goes_from_values_and_keys_at_any_depth() -> None:
    """Alone or inside of other text; what is no text stays."""
    value: JSON = {"a": [PLAIN, {f"x-{PLAIN}": f"Bearer {PLAIN}."}], "n": [1, 1.5, True, None, "clean"]}

    assert Redactor([PLAIN]).json(value) == {
        "a": [REDACTED, {f"x-{REDACTED}": f"Bearer {REDACTED}."}],
        "n": [1, 1.5, True, None, "clean"],
    }


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("secret", [PLAIN, QUOTED, FOREIGN], ids=["plain", "quotes", "quotes and umlauts"])
def test_a_secret_goes_from_json_inside_of_json(secret: str, level: int, *, ascii_only: bool) -> None:
    """Tool arguments are JSON text in a string, and a tool that calls a tool wraps them again; each level escapes."""
    text = f"key={secret}"
    for _ in range(level):
        text = json.dumps({"arguments": text}, ensure_ascii=ascii_only)

    redacted = Redactor([secret]).text(text)

    for _ in range(level):
        redacted = json.loads(redacted)["arguments"]
    assert redacted == f"key={REDACTED}"


@pytest.mark.parametrize("secret", [PLAIN, QUOTED, FOREIGN], ids=["plain", "quotes", "quotes and umlauts"])
def test_a_secret_in_a_request_reaches_neither_its_body_nor_its_hash(secret: str) -> None:
    """In a body, in a query, in a path; the rotated secret makes the same request."""

    def asked(key: str) -> tuple[Call, str]:
        call = replace(_CALL, path=f"/x/{key}", query=(("key", key),), body={"a": key, "b": json.dumps({"c": key})})
        return identified(call, Redactor([key]))

    call, request_hash = asked(secret)

    assert call.request == {
        "method": "POST",
        "path": f"/x/{REDACTED}",
        "query": [["key", REDACTED]],
        "body": {"a": REDACTED, "b": json.dumps({"c": REDACTED})},
    }
    assert asked("rotated-" + "z9" * 12) == (call, request_hash)


def test_a_request_without_a_secret_is_left_as_it_is() -> None:
    """The very object: nothing is copied for nothing."""
    call = replace(_CALL, body={"messages": [{"role": "user", "content": "hi"}]})

    assert identified(call, Redactor([PLAIN]))[0] is call


@pytest.mark.parametrize("depth", [100, 300, 600, 900, 2_000, 8_000, 100_000])
def test_a_secret_at_any_depth_is_found_or_the_request_is_refused(depth: int) -> None:
    """No depth that JSON can be written at is too deep to look into."""
    call = replace(_CALL, body={"key": PLAIN, "rest": nested(depth)})

    try:
        redacted, _ = identified(call, Redactor([PLAIN]))
        found = redacted.body["key"] if isinstance(redacted.body, dict) else None
    except NotCanonical:
        found = REDACTED  # refused, which is as good
    except RecursionError:
        found = None  # pytest would compare the frames, and all that they hold, for minutes
    assert found == REDACTED


def test_a_secret_goes_from_bytes() -> None:
    """What is no UTF-8 is searched too."""
    content = b"\xff\xfe" + PLAIN.encode() + b"\x00"

    assert Redactor([PLAIN]).bytes(content) == b"\xff\xfe" + REDACTED.encode() + b"\x00"


def test_a_secret_shorter_than_the_shortest_stays() -> None:
    """It is too likely to be part of an ordinary text, as `test` is."""
    short, long = "a" * (SHORTEST - 1), "b" * SHORTEST
    redactor = Redactor([short, long, "", "test"])

    assert redactor.text(f"{short} {long} test") == f"{short} {REDACTED} test"
    assert redactor.bytes(f"{short} {long}".encode()) == f"{short} {REDACTED}".encode()
    assert not redactor.finds(short.encode())
    assert redactor.finds(long.encode())


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_of_secrets_that_hold_each_other_the_longest_goes(order: tuple[int, ...]) -> None:
    """Else the rest of it would be left standing."""
    secrets = [PLAIN, f"{PLAIN}-admin", f"root-{PLAIN}-admin-2026"]
    redactor = Redactor([secrets[place] for place in order])

    assert redactor.text(" ".join(secrets)) == f"{REDACTED} {REDACTED} {REDACTED}"


_secrets = st.lists(st.text("abcXYZ019-_", min_size=SHORTEST, max_size=24), max_size=4)


@given(secrets=_secrets, value=VALUES, data=st.data())
def test_redacting_twice_is_redacting_once(secrets: list[str], value: JSON, data: st.DataObject) -> None:
    """And after it no secret is left."""
    texts = data.draw(st.lists(st.sampled_from([*secrets, "a", " ", "key="]), max_size=6))
    redactor = Redactor(secrets)
    whole: JSON = {"value": value, "text": "".join(texts), "".join(texts): json.dumps(texts)}

    once = redactor.json(whole)

    assert redactor.json(once) == once
    assert not any(secret in json.dumps(once) for secret in secrets)
    assert not redactor.finds(json.dumps(once).encode())


def test_without_secrets_everything_stays() -> None:
    """The very objects."""
    redactor = Redactor([])
    value: JSON = {"a": [PLAIN]}

    assert redactor.json(value) == value
    assert redactor.text(PLAIN) is PLAIN
    assert not redactor.finds(PLAIN.encode())


@pytest.mark.parametrize(
    "name",
    ["OPENAI_API_KEY", "openai_api_key", "Mixed_Api_Key", "GITHUB_TOKEN", "hf_token", "CLIENT_SECRET", "stripe_secret"],
)
def test_a_variable_named_for_a_secret_holds_one(name: str) -> None:
    """In any case: Windows knows no other, and people write both."""
    assert environment_secrets({name: PLAIN, "HOME": "/root"}) == [PLAIN]


@pytest.mark.parametrize(
    "name",
    ["MAX_TOKENS", "TOKENIZERS_PARALLELISM", "API_KEY_FILE", "SECRET_SANTA", "GITHUB_TOKEN_URL", "PATH", "TOKENS"],
)
def test_other_variables_hold_none(name: str) -> None:
    """A number or a path in a prompt must not be hidden."""
    assert environment_secrets({name: PLAIN}) == []


def test_the_environment_of_the_process_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is when it is asked."""
    monkeypatch.setenv("CORE_TEST_TOKEN", PLAIN)

    assert PLAIN in environment_secrets()


@pytest.mark.parametrize("other", [os.fsdecode(b"\xff" * 20), "\ud83d" * 20], ids=["POSIX", "Windows"])
def test_a_variable_that_is_no_utf_8_hinders_nobody(other: str) -> None:
    """An environment may hold any bytes; then no JSON holds this secret, but every other one is found."""
    redactor = Redactor([*environment_secrets({"BINARY_TOKEN": other}), PLAIN])

    assert redactor.text(PLAIN) == REDACTED
    assert redactor.bytes(b"\xff" + PLAIN.encode()) == b"\xff" + REDACTED.encode()


def _bytes_under(folder: Path) -> bytes:
    return b"\n".join(
        str(path.relative_to(folder)).encode() + b"\n" + (path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    )


def _found_in(content: object) -> list[str]:
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else str(content)
    return [secret for secret in (KEY, ENVIRONMENT, GATEWAY) if secret in text]


def _client(caller: Caller, url: str, key: str = KEY, gateway: str = GATEWAY) -> Any:
    return caller.client(
        url, key=key, default_headers={"X-Gateway-Key": gateway, "Helicone-Auth": f"Bearer {gateway}"}, max_retries=0
    )


_PROMPT = "mine {key}, the environment's {environment}, the gateway's {gateway}, in JSON {json}"


def _prompt(key: str = KEY, environment: str = ENVIRONMENT, gateway: str = GATEWAY) -> str:
    arguments = json.dumps({"keys": [key, environment, gateway]})
    return _PROMPT.format(key=key, environment=environment, gateway=gateway, json=arguments)


@every_caller
def test_no_secret_reaches_any_byte_of_a_cassette(
    caller: Caller, provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither those asked with nor those answered with, not in the partial file, not in a name of a file."""
    monkeypatch.setenv("CORE_TEST_TOKEN", ENVIRONMENT)
    partial = cassette.with_name("test.partial.jsonl")
    texts: list[str] = []

    async def asked(client: Any) -> None:
        texts.append(said(await ask(client, _prompt())))

    with intercept.use_cassette(cassette, mode="record") as session:
        caller.run(asked, _client(caller, provider.url))
        meanwhile = _bytes_under(cassette.parent)
    after = _bytes_under(cassette.parent)

    assert partial.name.encode() in meanwhile
    assert REDACTED.encode() in meanwhile
    assert (_found_in(meanwhile), _found_in(after), _found_in(repr(session.calls))) == ([], [], [])
    assert _found_in(texts) == [KEY, ENVIRONMENT, GATEWAY]  # the application got its answer as it came


@every_caller
def test_a_key_that_an_error_quotes_is_hidden_too(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """A 401 quotes the key; the recorded error reads the same but for it, and so does a failed recording."""
    message = f"Incorrect API key provided: {KEY}."
    make = Answer.openai_error if caller.sdk == "openai" else Answer.anthropic_error
    provider.answer(make(401, message=message, request_id=f"req_{KEY}"))

    async def asked(client: Any) -> None:
        await ask(client)

    with pytest.raises(Exception, match="Incorrect API key") as recorded:  # noqa: SIM117  ends the session, too
        with intercept.use_cassette(cassette, mode="record"):
            caller.run(asked, _client(caller, provider.url))
    with pytest.raises(Exception, match="Incorrect API key") as replayed:  # noqa: SIM117
        with intercept.use_cassette(cassette.with_name("test.partial.jsonl")):
            caller.run(asked, _client(caller, canary.url))

    assert KEY in str(recorded.value)
    assert str(replayed.value) == str(recorded.value).replace(KEY, REDACTED)
    assert _found_in(_bytes_under(cassette.parent)) == []


@every_caller
def test_a_key_in_the_query_is_hidden(caller: Caller, provider: Provider, canary: Canary, cassette: Path) -> None:
    """Gateways take keys there, of any length; what else the query says stays, and a rotated key replays."""

    async def asked(client: Any) -> str:
        return said(await ask(client))

    def ran(url: str, letter: str, mode: str) -> Any:
        names = ("key", "api-key", "api_key", "access_token", "client_secret", "sig")
        keys = {name: letter * (8 + 8 * length) + name for length, name in enumerate(names)}
        query = {**keys, "api-version": "2026-01-01", "after": "msg_123"}
        with intercept.use_cassette(cassette, mode=mode):
            return caller.run(asked, caller.client(url, default_query=query))

    recorded = ran(provider.url, "Q", "record")
    replayed = ran(canary.url, "Z", "replay")

    content = _bytes_under(cassette.parent)
    assert replayed == recorded
    assert b"QQQQ" not in content
    assert b"2026-01-01" in content
    assert b"msg_123" in content


@every_caller
def test_a_rotated_secret_replays(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys are changed; the recording stays good."""

    def ran(url: str, digit: str, mode: str) -> str:
        secrets = ["sk-" + digit * 40, "ghp_" + digit * 36, "gw-" + digit * 30]
        key, environment, gateway = secrets
        monkeypatch.setenv("CORE_TEST_TOKEN", environment)

        async def asked(client: Any) -> str:
            return said(await ask(client, _prompt(*secrets)))

        with intercept.use_cassette(cassette, mode=mode):
            text = str(caller.run(asked, _client(caller, url, key, gateway)))
        for secret in secrets:
            text = text.replace(secret, REDACTED)
        return text

    recorded = ran(provider.url, "1", "record")
    replayed = ran(canary.url, "2", "replay")

    assert REDACTED in recorded
    assert replayed == recorded


@every_caller
def test_a_secret_that_is_set_inside_of_the_session_is_one(
    caller: Caller, provider: Provider, canary: Canary, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Applications load their .env when they start, and a test starts them inside of its session."""

    async def asked(client: Any) -> str:
        monkeypatch.setenv("CORE_TEST_TOKEN", ENVIRONMENT)
        return said(await ask(client, ENVIRONMENT))

    with intercept.use_cassette(cassette, mode="record"):
        recorded = caller.run(asked, caller.client(provider.url))
    monkeypatch.delenv("CORE_TEST_TOKEN")
    with intercept.use_cassette(cassette):
        replayed = caller.run(asked, caller.client(canary.url))

    assert replayed == recorded.replace(ENVIRONMENT, REDACTED)
    assert _found_in(_bytes_under(cassette.parent)) == []


@every_caller
@pytest.mark.parametrize("asked_before", [False, True], ids=["never recorded", "exhausted"])
def test_a_miss_tells_no_secret(
    caller: Caller,
    provider: Provider,
    canary: Canary,
    cassette: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    asked_before: bool,
) -> None:
    """Not in its text, not on an attribute, not in what the session says at its end."""
    monkeypatch.setenv("CORE_TEST_TOKEN", ENVIRONMENT)

    async def asked(client: Any) -> None:
        await ask(client, _prompt())

    async def asked_other(client: Any) -> None:
        await ask(client, "something else")

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(asked if asked_before else asked_other, _client(caller, provider.url))
    door = intercept.use_cassette(cassette)
    session = door.__enter__()
    if asked_before:
        caller.run(asked, _client(caller, canary.url))
    with pytest.raises(intercept.Miss) as missed:
        caller.run(asked, _client(caller, canary.url))
    with pytest.raises(intercept.NotVerified) as failed:
        door.__exit__(None, None, None)

    miss = missed.value
    told = [str(miss), repr(miss), miss.args, vars(miss), str(failed.value), failed.value.args, session.calls]
    assert type(miss) is (intercept.Exhausted if asked_before else intercept.NeverRecorded)
    assert REDACTED in str(miss)
    assert [_found_in(text) for text in told] == [[]] * len(told)
    assert _found_in([str(miss.__cause__), str(miss.__context__), getattr(miss, "__notes__", [])]) == []


def test_a_secret_in_a_kept_header_is_hidden(provider: Provider, cassette: Path) -> None:
    """A gateway may echo what it was sent."""
    caller = CALLERS[0]
    provider.answer(
        Answer(body={"object": "list", "data": []}, headers=(("x-request-id", KEY), ("x-echo", f"<{KEY}>")))
    )

    async def asked(client: Any) -> str:
        response = client.models.with_raw_response.list()
        return f"{response.headers['x-request-id']} {response.headers['x-echo']}"

    with intercept.use_cassette(cassette, mode="record", keep_headers=["X-Echo"]):
        recorded = caller.run(asked, caller.client(provider.url))
    with intercept.use_cassette(cassette):
        replayed = caller.run(asked, caller.client(provider.url))

    assert recorded == f"{KEY} <{KEY}>"
    assert replayed == f"{REDACTED} <{REDACTED}>"
    assert _found_in(_bytes_under(cassette.parent)) == []
