"""Text completions: OpenAI's older endpoint, and Anthropic's."""

from __future__ import annotations

from typing import Any

from tests.conformance.callers import each, settled
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

HUMAN = "\n\nHuman: What is it?\n\nAssistant:"
COMPLETE: dict[str, Any] = {"model": "claude-test", "max_tokens_to_sample": 64, "prompt": HUMAN}


@viewed("openai", streams=True)
async def completions(_client: Any) -> Asked:
    return asked("completions.create", model="gpt-3.5-turbo-instruct", prompt="What is it?")


@operation("openai")
async def completions_of_two_prompts(client: Any) -> Any:
    options: dict[str, Any] = {"model": "gpt-3.5-turbo-instruct", "prompt": ["One?", "Two?"], "n": 2}
    whole = await settled(client.completions.create(**options))
    streamed = client.completions.create(**options, stream=True, stream_options={"include_usage": True})
    return [whole, await each(await settled(streamed))]


@viewed("anthropic", streams=True)
async def complete(_client: Any) -> Asked:
    return asked("completions.create", **COMPLETE)


@operation("anthropic")
async def complete_by_own_post(client: Any) -> Any:
    """Where the SDK has no method for it any more, its `post` still asks."""
    whole = await settled(client.post("/v1/complete", body=COMPLETE, cast_to=object))
    stream_of: Any = client._default_stream_cls[object]
    streamed = await settled(
        client.post(
            "/v1/complete", body={**COMPLETE, "stream": True}, cast_to=object, stream=True, stream_cls=stream_of
        )
    )
    return [whole, kind(streamed), await each(streamed)]
