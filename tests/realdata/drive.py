"""Makes the real SDK send a recording's request, whatever is patched or not, and hands back what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anthropic
import openai

from .outcome import outcome
from .questions import Question, question

if TYPE_CHECKING:
    from .recording import Recording

__all__ = ["ask", "ask_async", "outcome", "raw", "raw_async"]

_FAILURES = (openai.APIError, anthropic.APIError)
# No answer at all is nothing a recording tells of: it is let through, and fails the test.
_NO_ANSWER = (openai.APIConnectionError, anthropic.APIConnectionError)
# What `with_streaming_response` sets, for the client's own `get` and `post`, which have no such view.
_RAW = {"headers": {"X-Stainless-Raw-Response": "stream"}}


def ask(client: object, recording: Recording) -> object:
    """What the SDK hands back: a model, a binary answer, the list of all events, or the SDK's error.

    An error in the middle of a stream is the last item of the list.

    Raises:
        NotInSDKError: the installed SDK has no method for this endpoint.

    """
    asked = question(client, recording)
    try:
        result = asked.bound(client)(*asked.args, **asked.kwargs)
    except _NO_ANSWER:
        raise
    except _FAILURES as error:
        return error
    return _drained(result) if asked.streaming else result


async def ask_async(client: object, recording: Recording) -> object:
    """The same, of an async client."""
    asked = question(client, recording)
    try:
        result = await asked.bound(client)(*asked.args, **asked.kwargs)
    except _NO_ANSWER:
        raise
    except _FAILURES as error:
        return error
    return await _drained_async(result) if asked.streaming else result


def raw(client: object, recording: Recording) -> bytes:
    """The bytes of the answer as they reach the SDK's user, an error's too.

    Raises:
        NotInSDKError: the installed SDK has no method for this endpoint.

    """
    asked = question(client, recording)
    try:
        if not _has_view(asked):
            return bytes(asked.bound(client)(**asked.kwargs, options=_RAW).read())
        with asked.bound(client, "with_streaming_response")(*asked.args, **asked.kwargs) as response:
            return b"".join(response.iter_bytes())
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        return error.response.content


async def raw_async(client: object, recording: Recording) -> bytes:
    """The same, of an async client."""
    asked = question(client, recording)
    try:
        if not _has_view(asked):
            response = await asked.bound(client)(**asked.kwargs, options=_RAW)
            return bytes(await response.read())
        async with asked.bound(client, "with_streaming_response")(*asked.args, **asked.kwargs) as response:
            return b"".join([chunk async for chunk in response.iter_bytes()])
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        return error.response.content


def _has_view(asked: Question) -> bool:
    return "." in asked.method


def _drained(stream: Any) -> list[object]:
    events: list[object] = []
    try:
        for event in stream:
            events.append(event)  # noqa: PERF402 - those before an error are kept
    except _NO_ANSWER:
        raise
    except _FAILURES as error:
        events.append(error)
    finally:
        stream.close()
    return events


async def _drained_async(stream: Any) -> list[object]:
    events: list[object] = []
    try:
        async for event in stream:
            events.append(event)  # noqa: PERF401
    except _NO_ANSWER:
        raise
    except _FAILURES as error:
        events.append(error)
    finally:
        await stream.close()
    return events
