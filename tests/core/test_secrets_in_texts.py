"""A secret of every class is found in a text, however it is written there, and nothing of it is left."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from intercept.redaction import EMAIL, PHONE, Redactor
from intercept.redaction.custom import Custom
from intercept.redaction.redactor import Redaction
from intercept.spi import JSON
from tests.core.searching import left
from tests.core.secrets import CLASSES, Maker

FINDER = Redactor((), Custom([EMAIL, PHONE])).finder


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _nested(text: str, levels: int) -> str:
    for _ in range(levels):
        text = json.dumps({"arguments": text})
    return text


WAYS: dict[str, Callable[[str], str]] = {
    "alone": str,
    "in a sentence": lambda text: f"My key is {text}, keep it.",
    "in quotes": lambda text: f"'{text}'",
    "in brackets": lambda text: f"<k>({text})</k>",
    "in code": lambda text: f"`{text}`",
    "behind a dash": lambda text: f"-{text}",
    "behind an underscore": lambda text: f"_{text}",
    "among umlauts": lambda text: f"ü{text}ü",
    "on a line": lambda text: f"\n{text}\r\n",
    "in JSON": lambda text: _nested(text, 1),
    "in JSON in JSON": lambda text: _nested(text, 2),
    "in JSON three levels down": lambda text: _nested(text, 3),
    "behind an escape": lambda text: json.dumps(f"\t\b{text}\n"),
    "behind an escaped escape": lambda text: json.dumps(json.dumps(f"line\n{text}\t")),
    "among escaped umlauts": lambda text: json.dumps({"ü": f"ü{text}ü"}),
    "as unicode escapes": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "percent-encoded": lambda text: "".join(f"%{ord(letter):02x}" for letter in text),
    "as base64": lambda text: _base64(f"{text} is it"),
    "as base64, aligned otherwise": lambda text: _base64(f": {text} is it"),
    "as base64 among umlauts": lambda text: _base64(f"ü {text} ü"),
    "as URL-safe base64": lambda text: base64.urlsafe_b64encode(f"?~>{text} is it".encode()).decode().rstrip("="),
    "as base64 of base64": lambda text: _base64(_base64(f"{text} is it")),
    "as base64 in lines": lambda text: base64.encodebytes(f"The key is {text}, said he.".encode()).decode(),
    "packed": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
}


def _cell(kind: str, way: str, seed: int) -> None:
    secret = CLASSES[kind](Maker((kind, seed)), kind)
    text = WAYS[way](secret.text)

    redacted = Redaction(FINDER).text(text)

    assert left(redacted, [secret]) == [], "a part of it is left"
    assert FINDER.suspects(json.dumps(text)), "it is not looked for in JSON"
    assert Redaction(FINDER).text(redacted) == redacted, "what is hidden is hidden again"


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_goes_however_it_is_written(way: str) -> None:
    """One of every class, alone in its text; `suspects` may not pass it by where it stands in JSON."""
    for kind in CLASSES:
        _cell(kind, way, 0)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", CLASSES)
def test_any_secret_of_a_class_goes_however_it_is_written(kind: str, way: str) -> None:
    """Many of each: letters are drawn that stand at an edge, or look like something else."""
    for seed in range(1, 40):
        _cell(kind, way, seed)


def test_many_secrets_among_many_placeholders_take_no_longer_than_they_are_many() -> None:
    """Each secret is compared with the placeholder next to it alone: else this would take minutes."""
    secret = CLASSES["openai legacy"](Maker(0), "openai legacy").text

    redacted = Redaction(FINDER).text(f"[REDACTED:jwt:1] {secret} " * 20_000)

    assert redacted == "[REDACTED:jwt:1] [REDACTED:openai-key:1] " * 20_000


@pytest.mark.parametrize("name", ["password", "api_key", "clientSecret", "X-API-Key", "access_token"])
@pytest.mark.parametrize("field", ["text", "value"])
def test_what_is_named_for_a_secret_beside_it_goes(name: str, field: str) -> None:
    """A field of a form, or a variable in a list of them: the name and the value stand in fields of one object."""
    value: JSON = {"parts": [{"name": name, field: "hunter two"}, {"name": "purpose", field: "assistants"}]}

    assert FINDER.suspects(json.dumps(value, separators=(",", ":")))
    assert Redaction(FINDER).json(value) == {
        "parts": [{"name": name, field: "[REDACTED:field:1]"}, {"name": "purpose", field: "assistants"}]
    }


@pytest.mark.parametrize(
    "address", ["https://u:{}@example.com/x", "/x?q={}", "https://example.com/{}/x", "/x#{}", "/x?a=b#access_token={}"]
)
def test_a_secret_goes_from_where_a_redirect_leads(address: str) -> None:
    """From each part of the address, which is one still."""
    for secret in Maker(address).all():
        location = Redaction(FINDER).header("Location", address.replace("{}", quote(secret.text, safe="")))

        assert left(location, [secret]) == []
        assert location.startswith(("https://example.com/", "/x"))
