"""Anthropic's replies: a body or a stream under the headers the API sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.answer import Answer, Headers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject

_ORGANIZATION = "00000000-0000-4000-8000-000000000001"


def request_id(ask: Ask) -> str:
    """Return the id of the request, in the headers and in error bodies."""
    return ask.mint.base62("req_011C", 20)


def headers(ask: Ask) -> Headers:
    """Return the headers of every reply."""
    return (
        ("date", ask.mint.http_date),
        ("request-id", request_id(ask)),
        ("anthropic-organization-id", _ORGANIZATION),
        ("anthropic-ratelimit-requests-limit", "4000"),
        ("anthropic-ratelimit-requests-remaining", str(4_000 - ask.turn)),
        ("anthropic-ratelimit-requests-reset", ask.mint.iso),
        ("set-cookie", f"_cfuvid={ask.mint.base62('', 43)}; HttpOnly; SameSite=None; Secure; Path=/"),
        ("server", "cloudflare"),
        ("cf-ray", ask.mint.hex("", 16) + "-FRA"),
    )


def reply(ask: Ask, body: JSONObject, status: int = 200) -> Answer:
    """Return a JSON reply: the body as it is now, whatever becomes of a kept object later."""
    return Answer(status, {**body}, headers(ask))


def raw(ask: Ask, data: bytes, content_type: str) -> Answer:
    """Return a reply that is not JSON."""
    return Answer(200, data, headers(ask), content_type)


def stream(ask: Ask, events: Iterable[tuple[str | None, object]]) -> Answer:
    """Return a stream of events."""
    return Answer.sse(events, headers=headers(ask))
