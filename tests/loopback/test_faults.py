"""Cut connections, errors and retries, as the SDKs take them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import anthropic
import openai
import pytest

from intercept.loopback import Answer

from .clients import Clients

if TYPE_CHECKING:
    from intercept.loopback import Provider

    from .speak import Speak


@pytest.mark.parametrize("cut_after", [-1, 0, 10])
def test_a_cut_reply_fails_in_the_sdk_or_below(clients: Clients, provider: Provider, cut_after: int) -> None:
    """Without retries the connection error comes out; the provider serves on."""
    provider.answer(Answer(body={"id": "a" * 100}, cut_after=cut_after))
    client = clients.openai()

    with pytest.raises(Exception, match=r"[Cc]onnection|peer closed") as failed:
        client.responses.create(model="m", input="hi")
    assert isinstance(failed.value, openai.APIConnectionError) or "RemoteProtocolError" in type(failed.value).__name__
    assert client.responses.create(model="m", input="hi").output_text == "Reply 2 to: hi"


def test_a_dropped_connection_is_retried_by_the_sdk(provider: Provider) -> None:
    """The SDK asks again, and the second request is a hit of its own."""
    provider.answer(Answer(cut_after=-1))
    done = Clients(provider.url, retries=1).openai().responses.create(model="m", input="hi")

    assert (done.output_text, provider.hits) == ("Reply 2 to: hi", 2)


def test_a_cut_stream_gives_the_events_before_it(clients: Clients, provider: Provider) -> None:
    """Two events arrive, then the read fails."""
    events = [(None, {"type": "response.output_text.delta", "delta": word, "sequence_number": 0}) for word in "abc"]
    provider.answer(replace(Answer.sse(events), cut_after=2))
    stream = clients.openai().responses.create(model="m", input="hi", stream=True)
    seen = [next(stream).type, next(stream).type]

    with pytest.raises(Exception, match=r"peer closed|Connection error"):
        next(stream)
    assert seen == ["response.output_text.delta"] * 2


def test_a_rate_limit_is_waited_out(speak: Speak, provider: Provider) -> None:
    """429 with ``retry-after``, then 200: the SDK's own loop makes two requests of it."""
    limited = Answer.openai_error if "messages" not in speak.name else Answer.anthropic_error
    provider.answer(limited(429, retry_after=0.01))
    began = time.perf_counter()

    assert speak(Clients(provider.url, retries=2), "hi") == "Reply 2 to: hi"
    assert provider.hits == 2
    assert time.perf_counter() - began < 3


def test_hints_that_forbid_a_retry_are_obeyed(provider: Provider) -> None:
    """``x-should-retry: false`` ends it at the first 500."""
    provider.answer(Answer.openai_error(500, should_retry=False, retry_after_ms=5))

    with pytest.raises(openai.InternalServerError, match="error while processing"):
        Clients(provider.url, retries=2).openai().responses.create(model="m", input="hi")
    assert provider.hits == 1


def test_errors_have_the_fields_of_their_provider(clients: Clients, provider: Provider) -> None:
    """Message, type, code and request id are where the SDKs look for them."""
    provider.answer(Answer.openai_error(429, message="slow down"), Answer.anthropic_error())

    with pytest.raises(openai.RateLimitError, match="slow down") as limited:
        clients.openai().models.list()
    with pytest.raises(anthropic.APIStatusError, match="Overloaded") as overloaded:
        clients.anthropic().models.list()
    assert (limited.value.code, limited.value.type) == ("rate_limit_exceeded", "requests")
    assert limited.value.request_id is not None
    assert overloaded.value.status_code == 529
    assert overloaded.value.request_id is not None


@pytest.mark.slow
def test_two_thousand_events_pass(clients: Clients, provider: Provider) -> None:
    """A long stream is as whole as a short one."""
    event = {"type": "response.output_text.delta", "delta": "x", "sequence_number": 0}
    provider.answer(Answer.sse((None, event) for _ in range(2_000)))

    assert sum(1 for _ in clients.openai().responses.create(model="m", input="hi", stream=True)) == 2_000
