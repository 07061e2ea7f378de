"""What a client does whichever resource is asked: its options, its own `post` and `get`, what is added to a request."""

from __future__ import annotations

from typing import Any

import anthropic.types
import openai.types.chat

from tests.conformance.callers import ask, each, entered, settled
from tests.conformance.operations.questions import CHAT, MESSAGE
from tests.conformance.operations.shown import kind
from tests.conformance.operations.table import operation
from tests.conformance.operations.views import Asked, asked, viewed

EXTRA: dict[str, Any] = {
    "extra_headers": {"x-mine": "1"},
    "extra_query": {"mine": "two", "list": ["a", "b"]},
    "extra_body": {"mine": {"three": None}},
}


@operation("openai")
@operation("anthropic")
async def create(client: Any) -> Any:
    return await ask(client)


@operation("openai")
@operation("anthropic")
async def create_stream(client: Any) -> Any:
    stream = await ask(client, stream=True)
    return [type(stream).__qualname__, await each(stream)]


@operation("openai")
@operation("anthropic")
async def create_stream_in_with(client: Any) -> Any:
    async with entered(await ask(client, stream=True)) as stream:
        events = await each(stream)
    return [kind(stream), events, stream.response.is_closed, stream.response.status_code]


@operation("openai")
@operation("anthropic")
async def with_options(client: Any) -> Any:
    copy = client.with_options(timeout=7, max_retries=5)
    return [await ask(copy), await ask(copy.with_options(default_headers={"x-mine": "1"}))]


@operation("openai")
@operation("anthropic")
async def same_question_three_times(client: Any) -> Any:
    return [await ask(client), await ask(client), await ask(client)]


@operation("openai")
@operation("anthropic")
async def extra_fields(client: Any) -> Any:
    one = await ask(client, **EXTRA)
    streamed = await each(await ask(client, **EXTRA, stream=True))
    return [one, streamed, await ask(client, timeout=9)]


@operation("openai")
async def own_post(client: Any) -> Any:
    to = openai.types.chat.ChatCompletion
    stream_of: Any = client._default_stream_cls[openai.types.chat.ChatCompletionChunk]
    kept = await settled(client.post("/chat/completions", body=CHAT, cast_to=to))
    plain = await settled(client.post("/chat/completions", body=CHAT, cast_to=object))
    chunks = await settled(
        client.post("/chat/completions", body={**CHAT, "stream": True}, cast_to=to, stream=True, stream_cls=stream_of)
    )
    return [kept, plain, kind(chunks), await each(chunks)]


@operation("anthropic")
async def own_message_post(client: Any) -> Any:
    to = anthropic.types.Message
    stream_of: Any = client._default_stream_cls[anthropic.types.RawMessageStreamEvent]
    kept = await settled(client.post("/v1/messages", body=MESSAGE, cast_to=to))
    plain = await settled(client.post("/v1/messages", body=MESSAGE, cast_to=object))
    events = await settled(
        client.post("/v1/messages", body={**MESSAGE, "stream": True}, cast_to=to, stream=True, stream_cls=stream_of)
    )
    return [kept, plain, kind(events), await each(events)]


@operation("openai")
@operation("anthropic")
async def own_get(client: Any) -> Any:
    path, name = (
        ("/models", "gpt-4o") if isinstance(client, (openai.OpenAI, openai.AsyncOpenAI)) else ("/v1/models", "")
    )
    listed: Any = await settled(client.get(path, cast_to=object))
    one = await settled(client.get(f"{path}/{name or listed['data'][0]['id']}", cast_to=object))
    bare = await settled(client.get(path, cast_to=_response_class(client)))
    return [listed, one, bare.status_code, bare.content]


@viewed("openai")
async def extra(_client: Any) -> Asked:
    return asked("chat.completions.create", **CHAT, **EXTRA)


@viewed("anthropic")
async def message_extra(_client: Any) -> Asked:
    return asked("messages.create", **MESSAGE, **EXTRA)


@operation("openai")
@operation("anthropic")
async def parsed_as_own_model(client: Any) -> Any:
    is_openai = isinstance(client, (openai.OpenAI, openai.AsyncOpenAI))
    raw = await settled(
        client.chat.completions.with_raw_response.create(**CHAT)
        if is_openai
        else client.messages.with_raw_response.create(**MESSAGE)
    )
    model: Any = type(
        "Mine", (openai.BaseModel if is_openai else anthropic.BaseModel,), {"__annotations__": {"id": str}}
    )
    return [await settled(raw.parse(to=model)), await settled(raw.parse(to=str))]


def _response_class(client: Any) -> Any:
    """Return the class of the responses of the client's HTTP library."""
    library = __import__(type(client._client).__mro__[-3].__module__.partition(".")[0])
    return library.Response
