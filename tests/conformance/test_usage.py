"""Tokens: read off every endpoint that tells them, in one reading for each provider, and given back on replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from intercept import Usage
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, ask, each, settled
from tests.conftest import Canary
from tests.core.handmade import edited

OPENAI, ANTHROPIC = CALLERS[0], CALLERS[2]
_CHAT = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 5},
}
_TOKENS = {
    "input_tokens": 100,
    "output_tokens": 20,
    "total_tokens": 120,
    "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
    "output_tokens_details": {"reasoning_tokens": 5},
}
_MESSAGE = {
    "input_tokens": 30,
    "cache_read_input_tokens": 60,
    "cache_creation_input_tokens": 10,
    "cache_creation": {"ephemeral_5m_input_tokens": 4, "ephemeral_1h_input_tokens": 6},
    "output_tokens": 20,
    "output_tokens_details": {"thinking_tokens": 5},
}
_WHOLE = Usage(input=100, cache_read=60, cache_write=10, output=20, reasoning=5)


def _sse(*events: dict[str, Any]) -> Answer:
    return Answer.sse([(event.get("type"), event) for event in events])


def _lines(*lines: dict[str, Any]) -> Answer:
    return Answer(
        body="".join(json.dumps(line) + "\n" for line in lines).encode(),
        headers=(("content-type", "application/x-jsonl"),),
    )


Asking = Callable[[Any], Any]
_TOLD: dict[str, tuple[Caller, Asking, Answer, Usage | None]] = {
    "chat": (OPENAI, ask, Answer(body={"object": "chat.completion", "choices": [], "usage": _CHAT}), _WHOLE),
    "chat stream": (
        OPENAI,
        lambda client: ask(client, stream=True),
        Answer.sse([(None, {"choices": [], "usage": None}), (None, {"choices": [], "usage": _CHAT}), (None, "[DONE]")]),
        _WHOLE,
    ),
    "chat stream without usage": (
        OPENAI,
        lambda client: ask(client, stream=True),
        Answer.sse([(None, {"choices": []}), (None, "[DONE]")]),
        None,
    ),
    "completions": (
        OPENAI,
        lambda client: client.completions.create(model="m", prompt="p"),
        Answer(body={"object": "text_completion", "choices": [], "usage": _CHAT}),
        _WHOLE,
    ),
    "responses": (
        OPENAI,
        lambda client: client.responses.create(model="m", input="p"),
        Answer(body={"object": "response", "output": [], "usage": _TOKENS}),
        _WHOLE,
    ),
    "responses stream": (
        OPENAI,
        lambda client: client.responses.create(model="m", input="p", stream=True),
        _sse(
            {"type": "response.created", "response": {"object": "response", "usage": None}},
            {"type": "response.completed", "response": {"object": "response", "usage": _TOKENS}},
        ),
        _WHOLE,
    ),
    "responses shown again": (
        OPENAI,
        lambda client: client.responses.retrieve("resp_1"),
        Answer(body={"object": "response", "output": [], "usage": _TOKENS, "background": False}),
        None,
    ),
    "responses from the background": (
        OPENAI,
        lambda client: client.responses.retrieve("resp_1"),
        Answer(body={"object": "response", "output": [], "usage": _TOKENS, "background": True}),
        _WHOLE,
    ),
    "embeddings": (
        OPENAI,
        lambda client: client.embeddings.create(model="m", input="p", encoding_format="float"),
        Answer(body={"object": "list", "data": [], "usage": {"prompt_tokens": 8, "total_tokens": 8}}),
        Usage(input=8),
    ),
    "images": (
        OPENAI,
        lambda client: client.images.generate(model="m", prompt="p"),
        Answer(body={"created": 1, "data": [], "usage": {"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}}),
        Usage(input=9, output=4),
    ),
    "image stream": (
        OPENAI,
        lambda client: client.images.generate(model="m", prompt="p", stream=True),
        _sse({"type": "image_generation.completed", "b64_json": "", "usage": {"input_tokens": 9, "output_tokens": 4}}),
        Usage(input=9, output=4),
    ),
    "transcription in tokens": (
        OPENAI,
        lambda client: client.audio.transcriptions.create(model="m", file=("a.mp3", b"a")),
        Answer(body={"text": "hi", "usage": {"type": "tokens", "input_tokens": 14, "output_tokens": 45}}),
        Usage(input=14, output=45),
    ),
    "transcription in seconds": (
        OPENAI,
        lambda client: client.audio.transcriptions.create(model="whisper-1", file=("a.mp3", b"a")),
        Answer(body={"text": "hi", "usage": {"type": "duration", "seconds": 9}}),
        None,
    ),
    "run": (
        OPENAI,
        lambda client: client.beta.threads.runs.retrieve("run_1", thread_id="thread_1"),
        Answer(body={"id": "run_1", "object": "thread.run", "status": "completed", "usage": _CHAT}),
        _WHOLE,
    ),
    "step of a run": (
        OPENAI,
        lambda client: client.beta.threads.runs.steps.retrieve("step_1", run_id="run_1", thread_id="thread_1"),
        Answer(body={"id": "step_1", "object": "thread.run.step", "usage": _CHAT}),
        None,
    ),
    "batch": (
        OPENAI,
        lambda client: client.batches.retrieve("batch_1"),
        Answer(body={"id": "batch_1", "object": "batch", "status": "completed", "usage": _TOKENS}),
        _WHOLE,
    ),
    "turns of an agent": (
        OPENAI,
        lambda client: client.get(
            "/agents/sessions/s/events", cast_to=object, stream=True, stream_cls=openai.Stream[Any]
        ),
        _sse(
            {"type": "agent.session.turn.completed", "usage": _TOKENS},
            {"type": "agent.session.turn.failed", "usage": {"input_tokens": 1, "output_tokens": 2}},
            {"type": "agent.session.idle", "session": {"usage": _TOKENS}},
        ),
        Usage(input=101, cache_read=60, cache_write=10, output=22, reasoning=5),
    ),
    "requests of an agent": (
        ANTHROPIC,
        lambda client: client.get(
            "/v1/sessions/s/events/stream", cast_to=object, stream=True, stream_cls=anthropic.Stream[Any]
        ),
        _sse(
            {"type": "span.model_request_end", "model_usage": _MESSAGE},
            {"type": "span.model_request_end", "model_usage": {"input_tokens": 1, "output_tokens": 2}},
            {"type": "session.usage", "usage": _MESSAGE},
            {"type": "session.deleted"},
        ),
        Usage(input=101, cache_read=60, cache_write=10, output=22, reasoning=5),
    ),
    "message": (ANTHROPIC, ask, Answer(body={"type": "message", "content": [], "usage": _MESSAGE}), _WHOLE),
    "message stream": (
        ANTHROPIC,
        lambda client: ask(client, stream=True),
        _sse(
            {"type": "message_start", "message": {"content": [], "usage": {**_MESSAGE, "output_tokens": 1}}},
            {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 20, "input_tokens": None}},
            {"type": "message_stop"},
        ),
        _WHOLE,
    ),
    "beta message": (
        ANTHROPIC,
        lambda client: client.beta.messages.create(
            model="m", max_tokens=1, messages=[{"role": "user", "content": "p"}], betas=["b"]
        ),
        Answer(body={"type": "message", "content": [], "usage": _MESSAGE}),
        _WHOLE,
    ),
    "token count": (
        ANTHROPIC,
        lambda client: client.messages.count_tokens(model="m", messages=[{"role": "user", "content": "p"}]),
        Answer(body={"input_tokens": 12}),
        None,
    ),
    "results of a batch": (
        ANTHROPIC,
        lambda client: client.get("/v1/messages/batches/b/results", cast_to=object, options={"headers": {}}),
        _lines(
            {"custom_id": "1", "result": {"type": "succeeded", "message": {"usage": _MESSAGE}}},
            {"custom_id": "2", "result": {"type": "errored", "error": {}}},
            {"custom_id": "3", "result": {"type": "succeeded", "message": {"usage": {"input_tokens": 1}}}},
        ),
        Usage(input=101, cache_read=60, cache_write=10, output=20, reasoning=5),
    ),
}


async def _asked(asking: Asking, client: Any) -> None:
    try:
        reply = await settled(asking(client))
        if hasattr(reply, "close"):
            await each(reply)
    except json.JSONDecodeError:
        pass  # `client.get` takes JSON lines for JSON


@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")
@pytest.mark.parametrize(("caller", "asking", "answer", "usage"), _TOLD.values(), ids=_TOLD.keys())
def test_usage_is_what_the_endpoint_tells(  # noqa: PLR0917  a row of the table, and three fixtures
    caller: Caller,
    asking: Asking,
    answer: Answer,
    usage: Usage | None,
    provider: Provider,
    canary: Canary,
    cassette: Path,
) -> None:
    """`input` is the full prompt with either provider; an answer that is shown again is not counted twice."""
    provider.answer(answer)

    with intercept.use_cassette(cassette, mode="record") as recorded:
        caller.run(lambda client: _asked(asking, client), caller.client(provider.url))
    with intercept.use_cassette(cassette) as replayed:
        caller.run(lambda client: _asked(asking, client), caller.client(canary.url, key=None))

    assert [played.usage for played in recorded.calls] == [usage]
    assert [played.usage for played in replayed.calls] == [usage]
    assert replayed.usage == recorded.usage == (usage or Usage())


_IMPOSSIBLE: dict[str, tuple[Caller, dict[str, Any], str]] = {
    "more cached than read": (
        OPENAI,
        {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 6}},
        "6 tokens read from a cache and 0 written, of 5",
    ),
    "negative": (OPENAI, {"prompt_tokens": -5}, "input is -5"),
    "a text": (OPENAI, {"prompt_tokens": "five"}, "prompt_tokens is 'five'"),
    "a fraction": (ANTHROPIC, {"input_tokens": 1.5}, r"input_tokens is 1\.5"),
    "parts that are not the whole": (
        ANTHROPIC,
        {"cache_creation_input_tokens": 5, "cache_creation": {"ephemeral_5m_input_tokens": 4}},
        "5 tokens written to a cache, and 4 in parts",
    ),
}


@pytest.mark.parametrize(("caller", "usage", "reason"), _IMPOSSIBLE.values(), ids=_IMPOSSIBLE.keys())
def test_usage_that_cannot_be_true_is_left_out(
    caller: Caller, usage: dict[str, Any], reason: str, provider: Provider, cassette: Path
) -> None:
    """The answer is recorded; sums are not spoilt, and a warning says what was wrong, once for equal ones."""
    provider.answer(*[Answer(body={"type": "message", "content": [], "choices": [], "usage": usage})] * 2)

    async def twice(client: Any) -> None:
        await ask(client)
        await ask(client)

    with (
        pytest.warns(intercept.InterceptWarning, match=reason) as warned,
        intercept.use_cassette(cassette, mode="record") as session,
    ):
        caller.run(twice, caller.client(provider.url))

    assert [played.usage for played in session.calls] == [None, None]
    assert len(warned) == 1
    with intercept.use_cassette(cassette):
        caller.run(twice, caller.client(provider.url))
    assert provider.hits == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"usage_semantics": "openai-cache-additive-v9"}, "usage_semantics: .*cannot be summed"),
        ({"usage_semantics": None}, "usage_semantics: it is missing"),
        (
            {"usage": {"input": 1, "cache_read": 2, "cache_write": 0, "output": 0, "reasoning": 0}},
            "usage: it cannot be true: 2 tokens read",
        ),
        ({"usage": {"input": -1}}, "usage: it cannot be true: input is -1"),
    ],
)
@pytest.mark.parametrize("caller", [OPENAI, ANTHROPIC], ids=str)
def test_rows_that_disagree_are_refused_before_anything_is_served(
    caller: Caller, changes: dict[str, Any], reason: str, provider: Provider, cassette: Path
) -> None:
    """Two readings of one provider's numbers in one cassette, or numbers that cannot be: the place is named."""

    async def two(client: Any) -> None:
        await ask(client, "one")
        await ask(client, "two")

    with intercept.use_cassette(cassette, mode="record"):
        caller.run(two, caller.client(provider.url))
    edited(cassette, 3, **changes)

    with pytest.raises(intercept.CassetteError, match=f":3: {reason}"), intercept.use_cassette(cassette):
        pass


def test_one_unknown_reading_is_refused_too(provider: Provider, cassette: Path) -> None:
    """All rows agree, but on a reading that the installed adapter does not know."""
    with intercept.use_cassette(cassette, mode="record"):
        OPENAI.run(ask, OPENAI.client(provider.url))
    edited(cassette, 2, usage_semantics="openai-cache-subset-v7")

    with pytest.raises(intercept.CassetteError, match='in the reading "openai-cache-subset-v7"'):
        intercept.use_cassette(cassette).__enter__()
