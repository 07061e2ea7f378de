"""Credentials through the SDKs: gone before anything is hashed, written or told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, KEY, Caller, ask, said
from tests.conftest import Canary

ENVIRONMENT = "gh" + "p_" + "E1" * 18
GATEWAY = "gw-" + "H2" * 20

every_caller = pytest.mark.parametrize("caller", CALLERS, ids=str)


def _hidden(text: str, *secrets: str) -> str:
    """Return a text as a replay may tell it: with one word for secrets and for placeholders."""
    for secret in secrets:
        text = text.replace(secret, "[]")
    return re.sub(r"\[REDACTED:[a-z-]+:\d+\]", "[]", text)


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
    assert b"[REDACTED:" in meanwhile
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
    assert str(replayed.value) == str(recorded.value).replace(KEY, "[REDACTED:openai-key:1]")
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
            return _hidden(str(caller.run(asked, _client(caller, url, key, gateway))), *secrets)

    recorded = ran(provider.url, "1", "record")
    replayed = ran(canary.url, "2", "replay")

    assert recorded.count("[]") > 3
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

    assert replayed == recorded.replace(ENVIRONMENT, "[REDACTED:github-token:1]")
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
    assert "[REDACTED:" in str(miss)
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
    assert replayed == "[REDACTED:openai-key:1] <[REDACTED:openai-key:1]>"
    assert _found_in(_bytes_under(cassette.parent)) == []
