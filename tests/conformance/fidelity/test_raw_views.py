"""Raw views and responses that are read later: whatever is called on them, in whatever order, gives what it gives."""

from __future__ import annotations

import inspect
from typing import Any, Final

import anthropic
import openai
import pytest

from tests.conformance.callers import CALLERS, Caller, each, entered, settled
from tests.conformance.errors.caught import STORED
from tests.conformance.fidelity.answers import answer, written
from tests.conformance.outcomes import seen
from tests.conformance.stage import Stage
from tests.conformance.transports import library
from tests.conformance.ways import question, resource

ORDERS: Final = (
    ("read", "text", "json", "parse", "parse", "read"),
    ("parse", "read", "iter_lines", "text"),
    ("parse", "parse"),
    ("json", "iter_bytes 7"),
    ("text", "close", "text", "parse"),
    ("iter_lines", "parse"),
    ("iter_text", "read"),
    ("iter_text 5", "json"),
    ("iter_bytes", "iter_bytes"),
    ("iter_bytes 1", "parse"),
    ("iter_bytes 100000", "text"),
    ("one piece", "read", "parse"),
    ("close", "read"),
    ("close", "parse"),
    ("http_response.read", "parse", "http_response.text"),
    ("http_response.iter_raw", "parse"),
    (),
)
FACTS: Final = ("status_code", "http_version", "is_closed", "method", "retries_taken", "request_id")


async def _called(view: Any, step: str) -> Any:
    """Do one thing with a view, and return what it gives or how it fails; iterators are read to their end."""
    name, _, size = step.partition(" ")
    target = view.http_response if name.startswith("http_response.") else view
    name = name.removeprefix("http_response.")
    if target is not view and inspect.iscoroutinefunction(getattr(target, "a" + name, None)):
        name = "a" + name
    if target is not view and inspect.isasyncgenfunction(getattr(target, "a" + name, None)):
        name = "a" + name
    try:
        if step == "one piece":
            return await _first(view.iter_bytes(3))
        found = getattr(target, name)
        value = found(*map(int, size.split())) if callable(found) else found
        iterates = hasattr(value, "__aiter__") or inspect.isgenerator(value)
        return seen(await each(value) if iterates else await settled(value))
    except Exception as error:  # noqa: BLE001  a body that is gone is missed in the library's own words
        return f"raises {type(error).__qualname__}"


async def _first(pieces: Any) -> Any:
    if hasattr(pieces, "__anext__"):
        first = await pieces.__anext__()
        await pieces.aclose()
        return first
    first = next(pieces)
    pieces.close()
    return first


def _facts(view: Any) -> dict[str, Any]:
    """Return what a view tells without being read."""
    facts = {fact: getattr(view, fact, "absent") for fact in FACTS}
    headers = [(name, value) for name, value in view.headers.raw if name.lower() in STORED]
    path = view.url.raw_path if hasattr(view, "url") else view.http_request.url.raw_path
    return {**facts, "type": type(view).__qualname__, "headers": headers, "path": path}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_response_that_is_read_later_can_be_read_in_any_order(caller: Caller, stage: Stage) -> None:
    """Whole, in pieces, as text, lines, JSON or model, twice, after it was closed; also what fails does."""

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for order in ORDERS:
            async with entered(resource(client).with_streaming_response.create(**question(client))) as view:
                before = _facts(view)
                outcomes[", ".join(order)] = [before, [await _called(view, step) for step in order], _facts(view)]
            outcomes[", ".join(order)].append(_facts(view))
        return outcomes

    answers = [answer(caller, ("x-request-id", "req_1"), ("request-id", "req_1"), note="a\nb\r\nc\u2028d")] * len(
        ORDERS
    )

    outcomes = stage.agree(caller, scenario, *answers)

    assert outcomes["parse, parse"][1][0] == outcomes["parse, parse"][1][1]
    assert outcomes["close, read"][1][1].startswith("raises")
    assert len(outcomes["iter_bytes 1, parse"][1][0]) > 100


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_raw_view_can_be_read_in_any_order(caller: Caller, stage: Stage) -> None:
    """Its text, bytes, response and model, each any number of times; the model is made once."""
    steps = ("text", "content", "http_response.text", "http_response.json", "http_response.read", "read", "json")

    async def scenario(client: Any) -> Any:
        create = resource(client).with_raw_response.create
        view = await settled(create(**question(client)))
        read = [await _called(view, step) for step in (*steps, "http_response.iter_bytes", "http_response.iter_raw")]
        models = [await settled(view.parse()) for _ in range(2)]
        parsed_first = await settled(create(**question(client)))
        model = await settled(parsed_first.parse())
        return [
            _facts(view),
            read,
            models,
            models[0] is models[1],
            model,
            [await _called(parsed_first, step) for step in steps],
        ]

    outcome = stage.agree(caller, scenario, *[written('{"id":"x", "choices":[],"content":[]}')] * 2)

    assert outcome[3] is True


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_an_answer_can_be_parsed_to_other_types(caller: Caller, stage: Stage) -> None:
    """`parse(to=...)`: text, numbers, the library's response, a model of one's own, and what the SDK refuses."""
    sdk: Any = openai if caller.sdk == "openai" else anthropic

    class Mine(sdk.BaseModel):  # type: ignore[misc]
        id: str
        note: int = 7

    targets: dict[str, Any] = {
        "text": str,
        "bytes": bytes,
        "number": int,
        "object": object,
        "dict": dict[str, Any],
        "response": library(caller).Response,
        "model": Mine,
        "list": list[str],
        "maybe": Mine | None,
    }

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for kind, target in targets.items():
            view = await settled(resource(client).with_raw_response.create(**question(client)))
            try:
                value = await settled(view.parse(to=target))
            except Exception as error:  # noqa: BLE001  what the SDK cannot make it refuses in its own words
                outcomes[kind] = f"raises {type(error).__qualname__}"
            else:
                outcomes[kind] = [type(value).__qualname__, value.text if kind == "response" else value]
        return outcomes

    outcomes = stage.agree(caller, scenario)

    assert outcomes["model"][0] == "test_an_answer_can_be_parsed_to_other_types.<locals>.Mine"
    assert outcomes["text"][1].startswith("{")
