"""The quick look by which most texts pass: it may be wrong where it says yes, never where it says no."""

from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept.redaction.finding import Finder

_LONG = "a1B2c3D4e5F6g7H8" * 8
_SECRETS = (
    *("sk-" + "proj-" + _LONG[:40], "sk-" + "ant-api03-" + _LONG[:60], "sk-" + _LONG[:40], "AI" + "za" + _LONG[:35]),
    *("gh" + "p_" + _LONG[:36], "xox" + "b-" + _LONG[:10], "ya" + "29." + _LONG[:10], "AK" + "IA" + "A2B3C4D5E6F7G8H9"),
    *("Bearer " + _LONG[:20], "basic\t" + base64.b64encode(b"user:pass").decode(), "org-" + _LONG[:24]),
    *("password = " + _LONG[:16], 'api_key: "' + _LONG[:20], "AWS_SECRET_ACCESS_KEY=" + _LONG[:40]),
    *("https://user:word@host/", "https://host/?key=" + _LONG[:8], "x;sig=" + _LONG[:30], "Cookie: session=" + _LONG[:9]),  # noqa: E501
    *('{"password": "short"}', '{"client_secret": 5}', '{"X-API-Key": "short"}', '{"organization_id": "acme"}'),
    *("eyJ" + _LONG[:9] + ".eyJ" + _LONG[:9] + "." + _LONG[:9], "-----BEGIN " + "PRIVATE KEY-----\nabc", "abc1Q~" + _LONG[:31]),  # noqa: E501
    *('{"accessJwt": "x", "pwd": "y", "pat": "z"}', "x-amz-security-token: " + _LONG[:44], "known-" + "k" * 20),
)  # fmt: skip
_FINDER = Finder(["known-" + "k" * 20, 'quoted-"\\' + "q" * 20])


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


_WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "in JSON": lambda text: json.dumps({"a": text}),
    "in JSON in JSON": lambda text: json.dumps({"a": json.dumps([text])}),
    "escaped": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "percent-encoded": lambda text: urllib.parse.quote(text, safe=""),
    "in base64": _base64,
    "behind a line end": lambda text: f"see\n{text}\n",
}


@given(
    secret=st.sampled_from(_SECRETS),
    written=st.sampled_from([*_WRITTEN]),
    before=st.text(max_size=12),
    after=st.text(max_size=12),
)
def test_what_has_a_hit_is_looked_at(secret: str, written: str, before: str, after: str) -> None:
    """In the text, and in the JSON that a request or an event is looked at in."""
    text = _WRITTEN[written](f"{before} {secret} {after}")

    if _FINDER.hits(text):
        assert _FINDER.suspects(text)
        assert _FINDER.suspects(json.dumps({"x": [text]}, ensure_ascii=False))


@pytest.mark.parametrize("secret", _SECRETS)
def test_every_one_of_them_is_a_hit(secret: str) -> None:
    """Else the property above says nothing."""
    assert _FINDER.hits(secret)


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "pyproject.toml"])
def test_ordinary_text_passes_or_has_hits(name: str) -> None:
    """Nothing in it is changed."""
    text = (Path(__file__).parents[2] / name).read_text("utf-8")

    assert [text[hit.start : hit.stop] for hit in _FINDER.hits(text)] == []
