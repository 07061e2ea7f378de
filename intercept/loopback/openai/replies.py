"""OpenAI's replies: a body or a stream under the headers the API sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intercept.loopback.answer import Answer, Headers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from intercept.loopback.ask import Ask
    from intercept.loopback.jsontypes import JSONObject


def headers(ask: Ask) -> Headers:
    """Return the headers of every reply; two of them share a name."""
    mint = ask.mint
    cookie = "path=/; domain=.api.openai.com; HttpOnly; Secure; SameSite=None"
    return (
        ("date", mint.http_date),
        ("x-request-id", mint.hex("req_", 32)),
        ("openai-organization", "loopback"),
        ("openai-processing-ms", str(100 + ask.turn)),
        ("openai-version", "2020-10-01"),
        ("x-ratelimit-limit-requests", "10000"),
        ("x-ratelimit-remaining-requests", str(10_000 - ask.turn)),
        ("x-ratelimit-reset-requests", "6ms"),
        ("set-cookie", f"__cf_bm={mint.base62('', 43)}; {cookie}"),
        ("set-cookie", f"_cfuvid={mint.base62('', 43, part=1)}; {cookie}"),
        ("server", "cloudflare"),
        ("cf-ray", mint.hex("", 16) + "-FRA"),
    )


def reply(ask: Ask, body: JSONObject, status: int = 200) -> Answer:
    """Return a JSON reply: the body as it is now, whatever becomes of a kept object later."""
    return Answer(status, {**body}, headers(ask))


def polled(ask: Ask, body: JSONObject) -> Answer:
    """Return a JSON reply that says how soon to ask again."""
    return Answer(200, {**body}, (*headers(ask), ("openai-poll-after-ms", "1")))


def raw(ask: Ask, data: bytes, content_type: str) -> Answer:
    """Return a reply that is not JSON."""
    return Answer(200, data, headers(ask), content_type)


def stream(ask: Ask, events: Iterable[tuple[str | None, object]]) -> Answer:
    """Return a stream of events."""
    return Answer.sse(events, headers=headers(ask))
