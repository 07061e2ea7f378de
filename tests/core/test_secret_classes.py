"""Every class of secrets in every position of a text: found, hidden whole, and nothing else with it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import intercept
from intercept.spi import JSON
from tests.core.redacting import CALL, answered, asked, redaction
from tests.core.secrets import IDENTITIES, NAMES, secret

_WISHES = [intercept.EMAIL, intercept.PHONE]
_TELL_WHO = {*IDENTITIES}


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode())).decode()


_TEXTS: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "in prose": lambda text: f"Mine is {text} - keep it.",
    "in quotes": lambda text: f"say '{text}' or \"{text}\".",
    "behind a line end": lambda text: f"first\n{text}\nlast",
    "in JSON": lambda text: json.dumps({"q": text}),
    "in JSON in JSON in JSON": lambda text: json.dumps([json.dumps({"q": json.dumps({"r": text})})]),
    "in escapes": lambda text: json.dumps("".join(f"\\u{ord(letter):04x}" for letter in text)),
    "percent-encoded": lambda text: f"q={urllib.parse.quote(text, safe='')}&r=1",
    "in base64": lambda text: base64.b64encode(f"Mine is {text} .".encode()).decode(),
    "in gzip in base64": _packed,
    "in markdown": lambda text: f"`{text}`, **{text}**, [link]({text})",
    "in XML": lambda text: f"<value>{text}</value>",
}


@pytest.mark.parametrize("position", _TEXTS)
def test_no_part_of_a_secret_is_left_in_a_text(position: str) -> None:
    """However it is written there, and the rest of the text stays."""
    redacted = {name: redaction(wishes=_WISHES).text(_TEXTS[position](secret(name).text)) for name in NAMES}

    left = {
        name: [*secret(name).left_in(text), *secret(name).left_in(_decoded(text))] for name, text in redacted.items()
    }
    assert {name: pieces for name, pieces in left.items() if pieces} == {}
    assert [name for name, text in redacted.items() if "[REDACTED:" not in text] == []
    if position == "in prose":
        around = re.compile(r"Mine is .* - keep it\.", re.DOTALL)
        assert [name for name, text in redacted.items() if not around.fullmatch(text)] == [
            "cookie"
        ]  # to the line's end


def _decoded(text: str) -> str:
    """Undo once what texts can be wrapped in."""
    try:
        content = base64.b64decode(text, validate=True)
        return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8", "replace")
    except ValueError:
        return urllib.parse.unquote(text).encode().decode("unicode_escape", "replace")


_REQUESTS: dict[str, Callable[[str], Any]] = {
    "value": lambda text: {"body": {"messages": [{"content": [{"type": "text", "text": text}]}]}},
    "name": lambda text: {"body": {"metadata": {text: 1, "a": [{text: text}]}}},
    "tool arguments": lambda text: {
        "body": {
            "messages": [{"tool_calls": [{"function": {"arguments": json.dumps({"q": text, "signature": text})}}]}]
        }
    },
    "query": lambda text: {"query": (("q", text), ("z", "1"))},
    "path": lambda text: {"path": f"/v1/{text}/x"},
    "header": lambda text: {"headers": (("openai-beta", text),)},
    "file name": lambda text: {"body": {"parts": [{"name": "file", "filename": text, "sha256": "0" * 64}]}},
    "field of a form": lambda text: {"body": {"parts": [{"name": text, "text": text}]}},
}


@pytest.mark.parametrize("position", _REQUESTS)
def test_a_request_is_stored_and_hashed_without_it(position: str) -> None:
    """A rotated secret makes the same request; other ids of who asked make others."""

    def stored(name: str, seed: int) -> tuple[str, str]:
        call, request_hash = asked(replace(CALL, **_REQUESTS[position](secret(name, seed).text)), wishes=_WISHES)
        return json.dumps(call.request, ensure_ascii=False), request_hash

    first, rotated = ({name: stored(name, seed) for name in NAMES} for seed in (0, 1))

    assert {name: left for name in NAMES if (left := secret(name).left_in(first[name][0]))} == {}
    assert [name for name in NAMES if "[REDACTED:" not in first[name][0]] == []
    assert {name for name in NAMES if first[name] != rotated[name]} == _TELL_WHO
    assert {name for name in NAMES if first[name][1] != rotated[name][1]} == _TELL_WHO


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "text/event-stream", "application/x-jsonl"])
def test_an_answer_is_stored_without_it(content_type: str) -> None:
    """In JSON, in text, in comments and names of events, in lines; what was valid JSON is that still."""
    assert {name: left for name in NAMES if (left := _left_of_an_answer(name, content_type))} == {}


def _left_of_an_answer(name: str, content_type: str) -> list[str]:
    planted = secret(name)
    value: JSON = {"error": {"message": f"Incorrect: {planted.text}.", planted.text: [planted.text]}, "n": 1}
    text = json.dumps(value)
    body = {
        "application/json": text,
        "text/plain": f"<html>{planted.text}</html>",
        "text/event-stream": f": {planted.text!r}\n\nevent: {planted.text!r}\ndata: {text}\n\ndata: {text}\ndata:x\n\n",
        "application/x-jsonl": f"{text}\n{text}\n",
    }[content_type]

    events = answered(content_type, body.encode(), wishes=_WISHES)

    written = json.dumps(events)
    assert "[REDACTED:" in written
    assert content_type != "application/json" or events[0]["json"]["n"] == 1
    return planted.left_in(written)


def test_what_looks_alike_stays() -> None:
    """Counters, a logprob's token, properties in the schema of a tool, ids, and prose."""
    body: JSON = {
        "max_tokens": 5,
        "usage": {"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 0}},
        "logprobs": {"content": [{"token": "Hello", "bytes": [72]}]},
        "tools": [
            {
                "parameters": {
                    "properties": {"password": {"type": "string"}, "api_key": {"type": "string", "minLength": 8}},
                    "required": ["password", "api_key"],
                }
            }
        ],
        "id": "chatcmpl-CKxQ8f0hFaXEGu8mTkqUn2vA1bcde",
        "tool_call_id": "call_8f0hFaXEGu8mTkqUn2vA1bcd",
        "next_page_token": "page-2-of-the-list",
        "password_policy": {"length": 12},
        "text": "A basic understanding of bearer bonds: the secret of the token economy. sk-learn, sk-estimator-doc, "
        "task-based, user-friendly, org-mode; password = getpass.getpass(); key: value; https://host/a?page=2&sort=key",
        "stream": True,
    }

    assert redaction().json(body) == body
    assert asked(replace(CALL, body=body))[0].body == body
