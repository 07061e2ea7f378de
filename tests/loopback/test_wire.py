"""Exact bytes, and what no endpoint takes, seen without any SDK."""

from __future__ import annotations

import http.client
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from intercept.loopback import Answer

if TYPE_CHECKING:
    from intercept.loopback import Provider


@dataclass(frozen=True)
class Got:
    """A response, read whole, as a client without any SDK sees it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the first value of a header."""
        return next((value for key, value in self.headers if key.lower() == name), None)


def _get(provider: Provider, method: str = "GET", path: str = "/", body: bytes = b"", version: str = "") -> Got:
    port = int(provider.url.rpartition(":")[2])
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        connection.request(method, path, body, {"anthropic-version": version} if version else {})
        with connection.getresponse() as response:
            return Got(response.status, response.getheaders(), response.read())


def test_a_raw_body_is_sent_byte_for_byte(provider: Provider) -> None:
    """Status, every header line in its case and order, and the body are what was given, and no more."""
    body = bytes(range(256))
    lines = (("X-One", "a"), ("x-one", "b"), ("Content-Type", "application/x-own"))
    provider.answer(Answer(418, body, lines))
    response = _get(provider)

    assert response.status == 418
    assert response.headers == [*lines, ("content-length", "256")]
    assert response.body == body


def test_requests_on_one_connection_are_answered_at_once(provider: Provider) -> None:
    """No response waits for the acknowledgement of its first half, which takes 40 ms."""
    port = int(provider.url.rpartition(":")[2])
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        began = time.perf_counter()
        for _ in range(20):
            connection.request("GET", "/v1/models")
            connection.getresponse().read()
        took = time.perf_counter() - began

    assert provider.hits == 20
    assert took < 0.4


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer(body={"é": [1, None]}), ("application/json", '{"é":[1,null]}'.encode())),
        (Answer(body="é"), ("text/plain; charset=utf-8", "é".encode())),
        (Answer(body=b"x"), (None, b"x")),
        (Answer(body=b"x", content_type="image/png"), ("image/png", b"x")),
        (Answer(status=204), (None, b"")),
        (Answer(chunks=(b"a", b"", b"b")), (None, b"ab")),
        (
            Answer.sse([("e", {"a": 1}), (None, "x\ny")]),
            ("text/event-stream; charset=utf-8", b'event: e\ndata: {"a":1}\n\ndata: x\ndata: y\n\n'),
        ),
    ],
)
def test_bodies_of_every_kind(provider: Provider, answer: Answer, expected: tuple[str | None, bytes]) -> None:
    """A dict is JSON, a str is text, bytes claim nothing, chunks are chunked."""
    provider.answer(answer)
    response = _get(provider)

    assert (response.header("content-type"), response.body) == expected
    assert (response.header("transfer-encoding") == "chunked") is (answer.chunks is not None)


@pytest.mark.parametrize(
    "answer", [Answer(body=b"x" * 100, cut_after=10), Answer(chunks=(b"x" * 5, b"x" * 5, b"y"), cut_after=2)]
)
def test_a_cut_body_is_incomplete(provider: Provider, answer: Answer) -> None:
    """The client gets what came before the cut, and can tell that more was to come."""
    provider.answer(answer)

    with pytest.raises(http.client.IncompleteRead) as cut:
        _get(provider)
    assert cut.value.partial == b"x" * 10


def test_a_connection_dropped_before_the_head_is_an_empty_reply(provider: Provider) -> None:
    """Not even a status comes."""
    provider.answer(Answer(cut_after=-1))

    with pytest.raises(http.client.RemoteDisconnected):
        _get(provider)


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/nothing", 404), ("PUT", "/v1/models", 405), ("GET", "/", 404)]
)
def test_what_no_endpoint_takes_is_the_providers_error(provider: Provider, method: str, path: str, status: int) -> None:
    """Each provider says so in its own shape."""
    as_openai = _get(provider, method, path)
    as_anthropic = _get(provider, method, path, version="2023-06-01")

    assert (as_openai.status, as_anthropic.status) == (status, status)
    assert b'"type":"invalid_request_error","param":null' in as_openai.body
    assert as_anthropic.body.startswith(b'{"type":"error","error":{"type":')


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b"\xff"])
def test_a_body_that_cannot_be_meant_is_a_bad_request(provider: Provider, body: bytes) -> None:
    """No JSON, no object, no model: 400."""
    statuses = [_get(provider, "POST", path, body).status for path in ("/v1/chat/completions", "/v1/messages")]

    assert statuses == [400, 400]


def test_a_delay_delays(provider: Provider) -> None:
    """The head comes after the delay."""
    provider.answer(Answer(body=b"x", delay=0.1))
    began = time.perf_counter()
    _get(provider)

    assert time.perf_counter() - began >= 0.1
