"""The calls that carry secrets to a provider and back, by the place in which each holds them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from intercept.loopback import Answer
from tests.conformance.callers import ask, each, settled

Asked = Callable[[Any, list[str]], Awaitable[Any]]
Answered = Callable[[list[str]], Answer]


@dataclass(frozen=True)
class Position:
    """A place for texts: how the SDK asks with them, and what the provider answers, if not by itself.

    `sdk` is the only one that has this place, `keep_headers` what a session has to keep for it.
    """

    asked: Asked
    answered: Answered | None = None
    sdk: str | None = None
    keep_headers: tuple[str, ...] = ()


def _question(options: Callable[[list[str]], dict[str, Any]]) -> Asked:
    async def asked(client: Any, texts: list[str]) -> Any:
        return await ask(client, **options(texts))

    return asked


async def _plainly(client: Any, _texts: list[str]) -> Any:
    return await ask(client)


async def _streaming(client: Any, _texts: list[str]) -> Any:
    return await each(await ask(client, stream=True))


async def _prompting(client: Any, texts: list[str]) -> Any:
    return await ask(client, "\n".join(texts))


async def _responding(client: Any, texts: list[str]) -> Any:
    return await settled(client.responses.create(model="gpt-4o", input=[{"role": "user", "content": t} for t in texts]))


async def _responding_by_stream(client: Any, _texts: list[str]) -> Any:
    return await each(await settled(client.responses.create(model="gpt-4o", input="hi", stream=True)))


async def _calling_tools(client: Any, texts: list[str]) -> Any:
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": "x", "arguments": _arguments(text)}}
        for number, text in enumerate(texts)
    ]
    messages: Any = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    return await settled(client.chat.completions.create(model="gpt-4o", messages=messages))


async def _using_tools(client: Any, texts: list[str]) -> Any:
    uses = [{"type": "tool_use", "id": f"toolu_{n}", "name": "x", "input": {"a": [t]}} for n, t in enumerate(texts)]
    results = [
        {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": _arguments(t)} for n, t in enumerate(texts)
    ]
    messages: Any = [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]
    return await settled(client.messages.create(model="claude-test", max_tokens=64, messages=messages))


async def _failing(client: Any, _texts: list[str]) -> Any:
    try:
        return await ask(client)
    except Exception as error:  # noqa: BLE001  the error is what the call gave
        return error


def _arguments(text: str) -> str:
    """Write JSON in JSON, as a tool that calls a tool does."""
    return json.dumps({"command": text, "inner": json.dumps({"of": [text]})})


def completion(message: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": "stop"}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": [choice]}


def message(*blocks: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a message."""
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": list(blocks)}
    return body | {"stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}


def _either(texts: list[str], **headers: str) -> Answer:
    """Answer with what both SDKs can read as theirs."""
    body = completion({"content": "\n".join(texts)}) | message(*({"type": "text", "text": text} for text in texts))
    return Answer(200, body, tuple(headers.items()))


def _with_headers(texts: list[str]) -> Answer:
    lines = [" ".join(text.split()) for text in texts]
    headers = [("x-debug", line) for line in lines] + [("set-cookie", lines[0]), ("x-api-key", lines[-1])]
    return Answer(200, completion({"content": "hi"}) | message({"type": "text", "text": "hi"}), tuple(headers))


def _packed(texts: list[str]) -> Answer:
    answer = _either(texts)
    headers = (("content-type", "application/json"), ("content-encoding", "gzip"))
    return Answer(200, gzip.compress(answer.payload(), mtime=0), headers)


def _refused(texts: list[str]) -> Answer:
    said = "Incorrect API key provided: " + ", ".join(texts)
    return Answer(401, {"type": "error", "error": {"message": said, "type": "invalid_request_error", "code": None}})


def _names(texts: list[str]) -> Answer:
    answer = completion({"content": "hi", "seen": {text: number for number, text in enumerate(texts)}})
    return Answer(200, answer | message({"type": "text", "text": "hi", "seen": dict.fromkeys(texts, 1)}))


def _tool_calls(texts: list[str]) -> Answer:
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": "x", "arguments": _arguments(text)}}
        for number, text in enumerate(texts)
    ]
    return Answer(200, completion({"tool_calls": calls}))


def _tool_uses(texts: list[str]) -> Answer:
    blocks = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": "x", "input": {"a": [text], "b": _arguments(text)}}
        for number, text in enumerate(texts)
    ]
    return Answer(200, message(*blocks))


def cut(text: str, size: int = 17) -> list[str]:
    """Cut a text into pieces, the first of them empty."""
    return ["", *(text[at : at + size] for at in range(0, len(text), size))]


def chat_stream(*channels: tuple[str, list[str]], choices: int = 1) -> Answer:
    """Stream a chat completion whose deltas take turns: `content`, `refusal`, or `tool 0` for a tool's arguments."""
    events: list[tuple[str | None, object]] = []
    for turn in range(max(len(pieces) for _, pieces in channels)):
        for name, pieces in channels:
            if turn < len(pieces):
                events += [(None, _chunk(index, _delta(name, pieces[turn]))) for index in range(choices)]
    finish = [(None, _chunk(index, {}, "stop")) for index in range(choices)]
    return Answer.sse([*events, *finish, (None, "[DONE]")])


def _delta(name: str, piece: str) -> dict[str, Any]:
    if name.startswith("tool"):
        return {"tool_calls": [{"index": int(name.split()[1]), "function": {"arguments": piece}}]}
    return {name: piece}


def _chunk(index: int, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def message_stream(*blocks: tuple[str, list[str]]) -> Answer:
    """Stream a message whose blocks take turns: `text`, `thinking`, or `partial_json`."""
    kinds = {"text": "text_delta", "thinking": "thinking_delta", "partial_json": "input_json_delta"}
    starts: dict[str, dict[str, Any]] = {
        "text": {"type": "text", "text": ""},
        "thinking": {"type": "thinking", "thinking": "", "signature": ""},
        "partial_json": {"type": "tool_use", "id": "toolu_1", "name": "x", "input": {}},
    }
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": message()})]
    events += [
        ("content_block_start", {"index": n, "content_block": starts[name]}) for n, (name, _) in enumerate(blocks)
    ]
    for turn in range(max(len(pieces) for _, pieces in blocks)):
        for index, (name, pieces) in enumerate(blocks):
            if turn < len(pieces):
                delta = {"type": kinds[name], name: pieces[turn]}
                events.append(("content_block_delta", {"index": index, "delta": delta}))
    events += [("content_block_stop", {"index": index}) for index in range(len(blocks))]
    end = {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}}
    events += [("message_delta", end), ("message_stop", {})]
    return Answer.sse((name, {"type": name, **data}) for name, data in events)


_PARTS: Final = (
    ("response.output_text", "text", "content_index"),
    ("response.function_call_arguments", "arguments", None),
    ("response.reasoning_summary_text", "text", "summary_index"),
)


def response_stream(texts: Sequence[list[str]]) -> Answer:
    """Stream a response of three items at once, a text, arguments and a summary; each is told in pieces, then whole."""
    wholes = ["".join(pieces) for pieces in texts]
    items: list[dict[str, Any]] = [
        {
            "type": "message",
            "id": "msg_0",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": wholes[0], "annotations": []}],
        },
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "x", "arguments": wholes[1]},
        {"type": "reasoning", "id": "rs_2", "summary": [{"type": "summary_text", "text": wholes[2]}]},
    ]
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    response |= {"output": items, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    events: list[dict[str, Any]] = []
    for turn in range(max(map(len, texts))):
        for number, pieces in enumerate(texts):
            if turn < len(pieces):
                events.append({"type": f"{_PARTS[number][0]}.delta", **_place(items, number), "delta": pieces[turn]})
    for number, whole in enumerate(wholes):
        events.append({"type": f"{_PARTS[number][0]}.done", **_place(items, number), _PARTS[number][1]: whole})
        events.append({"type": "response.output_item.done", "output_index": number, "item": items[number]})
    events.append({"type": "response.completed", "response": response})
    return Answer.sse((event["type"], {**event, "sequence_number": n}) for n, event in enumerate(events))


def _place(items: list[dict[str, Any]], number: int) -> dict[str, Any]:
    place = {"item_id": items[number]["id"], "output_index": number}
    inside = _PARTS[number][2]
    return place if inside is None else {**place, inside: 0}


def _in_chat(*names: str) -> Answered:
    def answered(texts: list[str]) -> Answer:
        whole = " ".join(texts)
        return chat_stream(*((name, cut(_arguments(whole) if "tool" in name else whole, 19)) for name in names))

    return answered


def _in_message(*names: str) -> Answered:
    def answered(texts: list[str]) -> Answer:
        whole = " ".join(texts)
        return message_stream(*((name, cut(_arguments(whole) if "json" in name else whole)) for name in names))

    return answered


def _in_response(texts: list[str]) -> Answer:
    whole = " ".join(texts)
    return response_stream([cut(whole), cut(_arguments(whole), 23), cut(whole, 13)])


POSITIONS: Final[dict[str, Position]] = {
    "a request's headers": Position(
        _question(lambda texts: {"extra_headers": {
            name: " ".join(" ".join(texts).split()) for name in ("x-debug", "openai-beta", "anthropic-beta")
        }})
    ),
    "an answer's headers": Position(_plainly, _with_headers, keep_headers=("x-debug", "set-cookie", "x-api-key")),
    "a query": Position(_question(lambda texts: {"extra_query": {f"q{n}": text for n, text in enumerate(texts)}})),
    "a prompt": Position(_prompting),
    "a response's input": Position(_responding, sdk="openai"),
    "values of JSON": Position(_question(lambda texts: {"extra_body": {"x": texts, "y": {"z": "; ".join(texts)}}})),
    "names in JSON": Position(_question(lambda texts: {"extra_body": {"x": dict.fromkeys(texts, 1)}})),
    "an answer's values": Position(_plainly, _either),
    "an answer's names": Position(_plainly, _names),
    "a packed answer": Position(_plainly, _packed),
    "an error": Position(_failing, _refused),
    "arguments of earlier calls": Position(_calling_tools, sdk="openai"),
    "tools used earlier": Position(_using_tools, sdk="anthropic"),
    "arguments in an answer": Position(_plainly, _tool_calls, sdk="openai"),
    "tools used in an answer": Position(_plainly, _tool_uses, sdk="anthropic"),
    "content by deltas": Position(_streaming, _in_chat("content", "refusal"), sdk="openai"),
    "arguments by deltas": Position(_streaming, _in_chat("tool 0", "content", "tool 1"), sdk="openai"),
    "a response by deltas": Position(_responding_by_stream, _in_response, sdk="openai"),
    "a message by deltas": Position(_streaming, _in_message("thinking", "text"), sdk="anthropic"),
    "a tool's input by deltas": Position(_streaming, _in_message("partial_json", "text"), sdk="anthropic"),
}  # fmt: skip
"""Every place, by its name."""
