"""A secret is found in every format and however it is written there, with its line, and never told."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from intercept.scan import Scanner

from .planting import BODIES, FORMATS, deltas, drawn, har, key, row, stream, vcr

if TYPE_CHECKING:
    from collections.abc import Callable


def kinds(name: str, content: str | bytes, *literals: str) -> set[str]:
    """Scan the content of a file of this name; return the kinds of what is found."""
    raw = content if isinstance(content, bytes) else content.encode()
    return {found.label for found in Scanner(literals).found(Path(name), raw)}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("name", FORMATS)
def test_a_secret_is_found_wherever_it_hides(name: str, body: str) -> None:
    """In all formats and writings; the same without the secret is clean."""
    secret = key()

    assert kinds(name, FORMATS[name](BODIES[body](secret))) == {"openai-key"}
    assert kinds(name, FORMATS[name](BODIES[body]("no secret"))) == set()


@pytest.mark.parametrize("body", ["as it is", "JSON", "deltas", "base64"])
@pytest.mark.parametrize("name", FORMATS)
def test_a_credential_of_the_environment_is_found(name: str, body: str) -> None:
    """Though it has no shape of its own."""
    secret = "hunter-" + drawn(20)

    assert kinds(name, FORMATS[name](BODIES[body](secret)), secret) == {"credential"}
    assert kinds(name, FORMATS[name](BODIES[body](secret))) == set()


EVENTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "bytes": lambda secret: {"base64": base64.b64encode(b"\xff " + secret.encode()).decode()},
    "packed twice": lambda secret: {"base64": base64.b64encode(gzip.compress(gzip.compress(secret.encode()))).decode()},
    "stream": lambda secret: {"base64": base64.b64encode(stream(secret).encode()).decode()},
    "json": lambda secret: {"json": {"error": {"message": f"wrong key {secret}"}}},
    "unknown form": lambda secret: {"unknown": [secret]},
}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("adapter", ["openai", "unheard-of"])
def test_every_form_of_an_event_is_looked_into(event: str, adapter: str) -> None:
    """Of adapters that are installed, and of others."""
    written = {**json.loads(row("")), "adapter": adapter, "events": [EVENTS[event](key())]}

    assert kinds("x.jsonl", json.dumps(written)) == {"openai-key"}


@pytest.mark.parametrize("adapter", ["openai", "unheard-of"])
def test_a_secret_over_the_events_of_a_row_is_found_once(adapter: str) -> None:
    """As joined text, in the line of its row."""
    secret = key()
    written = {**json.loads(row("")), "adapter": adapter, "events": [{"data": delta} for delta in deltas(secret)]}
    content = f"{row('')}\n{json.dumps(written)}\n"

    found = Scanner(()).found(Path("x.jsonl"), content.encode())

    assert [(each.line, each.label) for each in found] == [(2, "openai-key")]
    assert found[0].part.startswith("row 2, events")


@pytest.mark.parametrize("field", ["encrypted_content", "id"])
def test_what_only_a_provider_can_read_is_let_be(field: str) -> None:
    """What looks like a secret in a sealed blob is none, but for a known credential."""
    secret = key()
    item: dict[str, Any] = {"type": "reasoning", "summary": [], field: secret}
    written = json.dumps({**json.loads(row("")), "events": [{"json": {"output": [item]}}]})

    assert kinds("x.jsonl", written) == set()
    assert kinds("x.jsonl", written, secret) == {"openai-key"}


def test_a_secret_in_binary_yaml_is_found() -> None:
    """With both tags, packed or not, over several lines."""
    for tag in ("!!binary", "!binary"):
        for content in (f"x {key()}".encode() * 3, gzip.compress(stream(key()).encode())):
            lines = base64.encodebytes(content).decode().replace("\n", "\n        ").rstrip()

            assert kinds("x.yaml", f"a:\n  string: {tag} |\n        {lines}\n") == {"openai-key"}


def test_a_secret_in_base64_of_har_is_found() -> None:
    """Where `encoding` says so."""
    written = json.loads(har(base64.b64encode(gzip.compress(key().encode())).decode()))
    written["log"]["entries"][0]["response"]["content"]["encoding"] = "base64"

    assert kinds("x.har", json.dumps(written)) == {"openai-key"}


def test_a_gzip_file_is_unpacked() -> None:
    """Also where it is cut off, or its checksum is wrong."""
    whole = gzip.compress(FORMATS["x.yaml"](key() + "\n" + "many words " * 5).encode() + drawn(4000).encode())

    for content in (whole, whole[:-900], whole[:-8] + b"\0" * 8):
        assert kinds("x.yaml.gz", content) == {"openai-key"}


def test_a_comment_in_yaml_is_read() -> None:
    """Nobody but people write them."""
    assert kinds("x.yaml", f"a: 1  # {key()}\n") == {"openai-key"}


def test_text_in_other_encodings_is_read() -> None:
    """UTF-16 with its mark, UTF-8 with one, and what is neither."""
    secret = key()

    for content in (
        secret.encode("utf-16"), b"\xef\xbb\xbf" + secret.encode(), b"\xff\x00\xfe " + secret.encode() + b"\0\x9d",
    ):  # fmt: skip
        assert kinds("x.bin", content) == {"openai-key"}


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "set-cookie", "Cookie", "x-goog-api-key"])
def test_a_header_that_is_named_for_a_secret_holds_one(name: str) -> None:
    """Whatever its value, in YAML and HAR; a stand-in is none."""
    stand_ins = (
        *("[REDACTED]", "[REDACTED:header:1]", "XXXXXXXX", "***", "<API_KEY>", "Bearer DUMMY_KEY", "test_api_key"),
        *("scrubbed-by-us", "MOCK-COOKIE", "sanitized", "${API_KEY}", "%(key)s-1234", "{self.key}-12"),
    )
    secrets = (f"Word {drawn(12)}", drawn(12), f"$2b$12${drawn(12)}", f"a%dd%e2{drawn(9)}", "my-secret-pass")
    for value in (*secrets, *stand_ins):
        expected: set[str] = set() if value in stand_ins else {"header"}
        in_har = har("hi", headers=[{"name": name, "value": value}])

        assert kinds("x.yaml", vcr("hi", headers=f"      {name}:\n      - '{value}'\n")) == expected, value
        assert kinds("x.har", in_har) == expected, value


def test_names_tell_secrets_in_har() -> None:
    """Cookies, query parameters, and fields of forms."""
    secret = drawn(14)

    assert kinds("x.har", har("", cookies=[{"name": "sid", "value": secret}])) == {"cookie"}
    assert kinds("x.har", har("", queryString=[{"name": "api_key", "value": secret}])) == {"url-parameter"}
    assert kinds("x.har", har("", postData={"params": [{"name": "password", "value": secret}]})) == {"field"}
    assert kinds("x.har", har("", url=f"http://me:{secret}@localhost/")) == {"url-userinfo"}
    assert kinds("x.har", har("", url=f"http://localhost/?key={secret}")) == {"url-parameter"}


def test_who_asked_is_found() -> None:
    """In a header of an organisation, and by the shape of an id."""
    slug, shaped = f"acme-{drawn(6)}", "org-" + drawn(24)

    assert kinds("x.yaml", vcr("", headers=f"      openai-organization: [{slug}]\n")) == {"identity"}
    assert kinds("x.txt", shaped) == {"openai-organization"}


@pytest.mark.parametrize("name", ["x.yaml", "quoted.yaml", "x.har", "x.jsonl", "x.log"])
def test_the_place_is_that_of_the_secret(name: str) -> None:
    """Line and column, counted from 1, where the secret stands in the file as it is."""
    secret = key()
    content = FORMATS[name](f"one\ntwo {secret} three")
    before = content[: content.index(secret)]

    (found,) = Scanner(()).found(Path(name), content.encode())

    assert (found.line, found.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


def test_equal_secrets_in_two_places_are_two_findings() -> None:
    """Each has its own line."""
    secret = key()

    for name, content in (("x.txt", f"{secret}\n{secret}\n"), ("x.yaml", f"a: {secret}\nb: {secret}\n")):
        assert [each.line for each in Scanner(()).found(Path(name), content.encode())] == [1, 2], name


def test_a_folded_scalar_is_put_together() -> None:
    """A secret that YAML breaks over two lines has none of its lines to itself."""
    secret = key()
    half = len(secret) // 2

    assert kinds("x.yaml", f'a: "word {secret[:half]}\\\n  {secret[half:]}"\n') == {"openai-key"}
