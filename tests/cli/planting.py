"""Secrets, and the places in a recording where they hide."""

from __future__ import annotations

import base64
import gzip
import json
import random
import string
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DRAWN: Final = random.Random(7)  # noqa: S311  a secret of a test


def drawn(length: int) -> str:
    """Draw the random part of a secret."""
    return "".join(_DRAWN.choices(string.ascii_letters + string.digits, k=length - 1)) + "7"


def key() -> str:
    """Make a key in the shape of OpenAI's."""
    return f"sk-proj-{drawn(48)}"


def deltas(secret: str) -> list[dict[str, Any]]:
    """Split a secret over the deltas of an answer."""
    text = f"it is {secret} now"
    return [
        {
            "id": "c",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"content": text[at : at + 9]}}],
        }
        for at in range(0, len(text), 9)
    ]


def stream(secret: str) -> str:
    """Write these deltas as they go over the wire."""
    return "".join(f"data: {json.dumps(delta)}\n\n" for delta in deltas(secret)) + "data: [DONE]\n\n"


def packed(text: str) -> str:
    """Pack a text with gzip, and write it in base64."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


BODIES: Final[Mapping[str, Callable[[str], str]]] = {
    "as it is": lambda secret: f"key {secret}",
    "JSON": lambda secret: json.dumps({"input": f"my key is {secret}."}),
    "a field's name": lambda secret: json.dumps({secret: 1}),
    "JSON in JSON": lambda secret: json.dumps({"arguments": json.dumps({"q": json.dumps({"k": secret})})}),
    "escaped": lambda secret: '{"a": "' + "".join(f"\\u{ord(each):04x}" for each in secret) + '"}',
    "percent-encoded": lambda secret: "x=" + "".join(f"%{ord(each):02x}" for each in secret) + "&y=" + quote("a b"),
    "base64": lambda secret: base64.b64encode(f"user: {secret}".encode()).decode(),
    "gzip in base64": lambda secret: packed(json.dumps({"key": secret})),
    "deltas": stream,
    "JSON lines": lambda secret: "\n".join(map(json.dumps, deltas(secret))),
}
"""What a body is that holds a secret."""


def row(body: str) -> str:
    """Write a row of ours whose answer has this body."""
    return json.dumps(
        {
            "adapter": "openai", "provider": "openai", "operation": "POST /chat/completions", "model": "gpt-4o",
            "occurrence": 0, "request_hash": "0" * 64, "status": 200, "headers": [["content-type", "text/plain"]],
            "request": {"method": "POST", "path": "/chat/completions", "body": {"model": "gpt-4o"}},
            "events": [{"text": body}],
        }
    )  # fmt: skip


def cassette(body: str) -> str:
    """Write a cassette of ours."""
    return '{"kind":"intercept-cassette","v":1,"hash_version":1}\n' + row(body) + "\n"


def vcr(body: str, *, style: str | None = None, headers: str = "") -> str:
    """Write a cassette of vcrpy."""
    import yaml

    dump: Any = yaml.dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    written = dump(body, default_style=style, width=60, allow_unicode=True).removesuffix("...\n")
    indented = written.replace("\n", "\n        ").rstrip(" ")
    return (
        "interactions:\n- request:\n    body: null\n    headers:\n      accept: ['*/*']\n"
        f"{headers}    method: GET\n    uri: http://localhost/x\n  response:\n    body:\n      string: {indented}\n"
        "    headers: {}\n    status: {code: 200, message: OK}\nversion: 1\n"
    )


def har(body: str, **request: Any) -> str:
    """Write a recording of a browser."""
    entry: dict[str, Any] = {
        "request": {"method": "GET", "url": "http://localhost/x", "headers": [], **request},
        "response": {"status": 200, "headers": [], "content": {"mimeType": "text/plain", "text": body}},
    }
    return json.dumps({"log": {"version": "1.2", "entries": [entry]}}, indent=2)


FORMATS: Final[Mapping[str, Callable[[str], str]]] = {
    "x.jsonl": cassette,
    "row.json": row,
    "x.yaml": vcr,
    "quoted.yaml": lambda body: vcr(body, style='"'),
    "x.har": har,
    "x.log": lambda body: body,
}
"""What a recording is that holds a body."""
