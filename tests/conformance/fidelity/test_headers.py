"""Headers of an answer: those that are kept come back with their case, their order and their duplicates."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.conformance.callers import CALLERS, Caller, ask, entered, settled
from tests.conformance.fidelity.answers import answer
from tests.conformance.stage import Stage
from tests.conformance.ways import question, resource

SENT: Final = (
    ("X-Request-Id", "req_first"),
    ("x-ratelimit-remaining-requests", "9"),
    ("REQUEST-ID", "req_upper"),
    ("x-request-id", "req_second"),
    ("X-RateLimit-Remaining-Requests", "8"),
    ("Retry-After", "3"),
    ("x-should-retry", "false"),
    ("retry-after-ms", "12.5"),
    ("openai-organization", "org-mine"),
    ("anthropic-ratelimit-tokens-reset", "2026-01-02T03:04:05Z"),
    ("X-Odd", "caf\u00e9 \u00ff"),
    ("x-empty", ""),
    ("x-commas", "a, b"),
    ("x-commas", "c"),
)
ALWAYS: Final = {"x-request-id", "request-id", "retry-after", "retry-after-ms", "x-should-retry", "content-type"}
MORE: Final = ("X-RateLimit-Remaining-Requests", "anthropic-ratelimit-tokens-reset", "x-odd", "X-EMPTY", "x-commas")


def _kept(response: Any, names: set[str]) -> Any:
    """Describe what an application can read of the headers with these names."""
    headers = response.headers
    return [
        [(name, value) for name, value in headers.raw if name.decode().lower() in names],
        [(name, value) for name, value in headers.multi_items() if name in names],
        {
            name: (headers.get(name), headers.get_list(name), headers.get_list(name, split_commas=True))
            for name in names
        },
        {name: (name in headers, name.upper() in headers, headers.get(name.title())) for name in names},
    ]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("more", [(), MORE], ids=["kept always", "kept on request"])
def test_a_kept_header_is_as_it_was_sent(caller: Caller, more: tuple[str, ...], stage: Stage) -> None:
    """Raw view, later read response, request id: `keep_headers` takes names in any case, and keeps all their values."""
    names = ALWAYS | {name.lower() for name in more}

    async def scenario(client: Any) -> Any:
        raw = await settled(resource(client).with_raw_response.create(**question(client)))
        async with entered(resource(client).with_streaming_response.create(**question(client))) as response:
            later = [_kept(response, names), response.request_id]
        plain = await ask(client)
        stream = await ask(client, stream=True)
        streamed = _kept(stream.response, names)
        await settled(stream.close())
        return [_kept(raw, names), raw.request_id, _kept(raw.http_response, names), later, plain._request_id, streamed]

    answers = [answer(caller, *SENT)] * 4
    found = stage.agree(caller, scenario, *answers, keep_headers=more)

    raw, request_id, *_ = found
    sent = [[name.encode(), value.encode("latin-1")] for name, value in SENT if name.lower() in names]
    assert [pair for pair in raw[0] if pair[0] != b"content-type"] == sent
    assert request_id in ("req_first, req_second", "req_first", "req_upper")


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_other_headers_are_not_kept(caller: Caller, stage: Stage) -> None:
    """What may tell who asked is neither on disk nor in replay."""

    async def scenario(client: Any) -> Any:
        raw = await settled(resource(client).with_raw_response.create(**question(client)))
        return sorted({name.lower() for name, _ in raw.headers.multi_items()})

    played = stage.play(caller, scenario, answer(caller, *SENT))

    assert "openai-organization" in played.recorded
    assert set(played.replayed) == ALWAYS
    assert "org-mine" not in stage.cassette.read_text()
