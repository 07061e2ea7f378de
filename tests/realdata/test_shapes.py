"""The readers on small files of each shape, so that they are tested in a checkout without the recordings."""

from __future__ import annotations

import base64
import gzip
from typing import TYPE_CHECKING

import pytest
import yaml

from .plain_yaml import parsed
from .shapes import interactions
from .streams import event_lines
from .uploads import parts
from .wire import decoded, path_of, provider_of

if TYPE_CHECKING:
    from pathlib import Path

    from .plain_yaml import Tree

_REQUEST = {
    "method": "post",
    "uri": "https://api.openai.com/v1/responses",
    "headers": {"Content-Type": ["application/json"]},
}
_OK = {"status": {"code": 200}, "headers": {"X-A": ["1", "2"], "Content-Encoding": ["gzip"]}}

_SHAPES = {
    "vcrpy": ({"body": '{"a":1}'}, {**_OK, "body": {"string": '{"b":2}'}}, True),
    "vcrpy, gzip": ({"body": b'{"a":1}'}, {**_OK, "body": {"string": gzip.compress(b'{"b":2}')}}, True),
    "parsed_body": ({"parsed_body": {"a": 1}}, {**_OK, "parsed_body": {"b": 2}}, False),
    "a request that is a mapping": ({"body": {"a": 1}}, {**_OK, "body": {"string": '{"b":2}'}}, True),
    "httpx stub": ({"body": '{"a":1}'}, {"status_code": 200, "headers": _OK["headers"], "content": '{"b":2}'}, True),
    "Ruby VCR": (
        {"body": {"encoding": "UTF-8", "string": '{"a":1}'}},
        {**_OK, "body": {"encoding": "UTF-8", "string": '{"b":2}'}},
        True,
    ),
    "SDK snapshot": ({"body": {"a": 1}}, {"status_code": 200, "headers": {"X-A": ["1", "2"]}, "body": {"b": 2}}, False),
}


@pytest.mark.parametrize(("request_side", "response_side", "exact"), _SHAPES.values(), ids=_SHAPES.keys())
def test_every_shape_gives_the_same_recording(request_side: Tree, response_side: Tree, *, exact: bool) -> None:
    """One interaction, written down in seven ways."""
    written = {"interactions": [{"request": {**_REQUEST, **request_side}, "response": response_side}]}

    (found,) = interactions("a.yaml", written)

    assert (found.method, found.path, found.request, found.request_type) == (
        "POST",
        "/v1/responses",
        b'{"a":1}',
        "application/json",
    )
    assert (found.status, found.headers, found.body) == (200, (("X-A", "1"), ("X-A", "2")), b'{"b":2}')
    assert found.exact is exact


@pytest.mark.parametrize("document", [None, {"version": 1}, {"interactions": [{"kind": "message", "data": "hi"}]}])
def test_what_is_no_recording_of_http_is_refused_by_name(document: object) -> None:
    """Frames of a websocket in the same wrapper are not half read."""
    with pytest.raises(ValueError, match=r"^frames\.yaml: "):
        list(interactions("frames.yaml", document))


def test_a_tag_of_python_runs_nothing_and_gives_its_first_string() -> None:
    """Header names of aiohttp are read; a tag that asks for a call gets a string too, and no call is made."""
    names = "? !!python/object/new:multidict._multidict.istr\n- Accept\n: [application/json]\n"
    calls = "!!python/object/apply:builtins.exit [gone]\n"

    assert parsed(names) == {"Accept": ["application/json"]}
    assert parsed(calls) == "gone"


def test_any_other_tag_is_refused() -> None:
    """An unknown tag is an error, never a guess."""
    with pytest.raises(yaml.YAMLError):
        parsed("!ruby/object:Gem::Requirement {a: 1}")


def test_binary_and_dates_are_what_was_on_the_wire() -> None:
    """Ruby's local tag is bytes as YAML's own is, and a date stays the text it was."""
    data = base64.b64encode(b"\xff\x00").decode()

    assert parsed(f"a: !binary {data}\nb: !!binary {data}\nc: 2026-06-25T16:16:09Z\n") == {
        "a": b"\xff\x00",
        "b": b"\xff\x00",
        "c": "2026-06-25T16:16:09Z",
    }


def test_the_first_bytes_decide_whether_a_body_is_packed() -> None:
    """A gzip header over plain text is common in real files."""
    assert decoded(gzip.compress(b"hi")) == decoded(b"hi") == decoded("hi") == b"hi"
    assert decoded(None) == b""


def test_a_body_that_unpacks_without_end_is_refused() -> None:
    """65 MiB of zeros in a few kilobytes."""
    with pytest.raises(ValueError, match="unpacks to more than"):
        decoded(gzip.compress(bytes(65 * 1024 * 1024)))


@pytest.mark.parametrize(
    ("url", "provider", "path"),
    [
        ("https://api.openai.com/v1/models/gpt-4o", "openai", "/v1/models/gpt-4o"),
        ("https://api.anthropic.com/v1/files?beta=true", "anthropic", "/v1/files"),
        ("https://openrouter.ai/api/v1/chat/completions", "openrouter", "/v1/chat/completions"),
        ("https://a.openai.azure.com//openai/deployments/b/embeddings?api-version=1", "azure-openai", "/v1/embeddings"),
        ("https://a.services.ai.azure.com/models/chat/completions", "azure-openai", "/v1/chat/completions"),
        ("https://example.com/v1/messages", "example.com", "/v1/messages"),
    ],
)
def test_an_address_tells_provider_and_path(url: str, provider: str, path: str) -> None:
    """Azure's deployments and the prefixes of gateways go."""
    assert (provider_of(url), path_of(url)) == (provider, path)


def test_bare_events_are_framed_again(tmp_path: Path) -> None:
    """One JSON event a line becomes a stream, and the request that could have asked for it is made up."""
    file = tmp_path / "a.chunks.txt"
    file.write_bytes(b'{"type":"response.created","response":{"model":"m"}}\n{"type":"error"}\n')

    found = event_lines("a.chunks.txt", file)

    assert found.body == (
        b'event: response.created\ndata: {"type":"response.created","response":{"model":"m"}}\n\n'
        b'event: error\ndata: {"type":"error"}\n\n'
    )
    assert (found.path, found.request) == ("/v1/responses", b'{"model":"m","input":"(not recorded)","stream":true}')


def test_the_parts_of_an_upload_are_read_whatever_bytes_they_hold() -> None:
    """Line ends and dashes inside a file are the file's."""
    body = (
        b'--B\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        b'--B\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: audio/wav\r\n\r\n'
        b"\r\n--b\r\n\xff\r\n\r\n--B--\r\n"
    )

    assert parts(body, "multipart/form-data; boundary=B") == {
        "purpose": "batch",
        "file": ("a.bin", b"\r\n--b\r\n\xff\r\n", "audio/wav"),
    }
