"""What is given to a call: whatever the SDK accepts reaches the provider, and the cassette, as without us."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import json
import types
import uuid
from collections import OrderedDict, UserDict, deque
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pydantic
import pytest

from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.errors.caught import hinted
from tests.conformance.stage import Stage
from tests.conformance.transports import library
from tests.conformance.ways import question, resource

MESSAGES = [
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "two"},
    {"role": "user", "content": "?"},
]


class _Word(str, enum.Enum):
    ONE = "one"


class _Number(enum.IntEnum):
    ONE = 1


class _Model(pydantic.BaseModel):
    word: str = "one"
    absent: int | None = None
    when: dt.date = dt.date(2026, 1, 2)


@dataclasses.dataclass
class _Data:
    word: str = "one"


class _Pair(NamedTuple):
    left: int
    right: int


SEQUENCES: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda messages: (message for message in messages),
    "iterator": iter,
    "map": lambda messages: map(dict, messages),
    "deque": deque,
    "values of a dict": lambda messages: {str(message): message for message in messages}.values(),
}
VALUES: dict[str, Callable[[], Any]] = {
    "time": lambda: dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=dt.timezone.utc),
    "date": lambda: dt.date(2026, 1, 2),
    "enum of text": lambda: _Word.ONE,
    "enum of numbers": lambda: _Number.ONE,
    "decimal": lambda: decimal.Decimal("1.10"),
    "path": lambda: PurePosixPath("/a/b"),
    "uuid": lambda: uuid.UUID(int=7),
    "set": lambda: {"one"},
    "tuple": lambda: ("one", 2),
    "pair": lambda: _Pair(1, 2),
    "bytes": lambda: b"one",
    "data class": _Data,
    "model": _Model,
    "class": lambda: _Model,
    "function": lambda: len,
    "ordered dict": lambda: OrderedDict([("b", 1), ("a", 2)]),
    "user's dict": lambda: UserDict(a=1),
    "mapping proxy": lambda: types.MappingProxyType({"a": 1}),
    "number as key": lambda: {1: "one", None: "none", False: "false", 1.5: "float"},
    "big number": lambda: 2**64 + 1,
    "number": lambda: 1e22,
    "lone surrogate": lambda: "\ud800",
    "emoji": lambda: "\U0001f600 caf\u00e9 \u2028 \x7f",
    "range": lambda: range(3),
    "generator": lambda: (number for number in range(3)),
}


async def _create(client: Any, **arguments: Any) -> Any:
    return await settled(resource(client).create(**{**question(client), **arguments}))


async def _tried(client: Any, **arguments: Any) -> Any:
    try:
        return ["answered", await _create(client, **arguments)]
    except Exception as error:  # noqa: BLE001  what the SDK does not take it refuses in its own words
        return ["refused", type(error).__qualname__]


def _stored(stage: Stage) -> list[Any]:
    """Return the bodies that the cassette holds."""
    return [json.loads(line)["request"]["body"] for line in stage.cassette.read_text("utf-8").split("\n")[1:-1]]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("retried", [False, True], ids=["once", "after an error"])
def test_messages_of_any_kind_arrive_whole(caller: Caller, retried: bool, stage: Stage, slept: list[float]) -> None:
    """A generator is used up once, by the SDK; what its second attempt sends is what it sends without us."""
    arrived: list[Any] = []

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for kind, make in SEQUENCES.items():
            hits = stage.provider.hits
            if retried and str(client.base_url).startswith(stage.provider.url):
                stage.provider.answer(hinted(caller, 503))
            outcomes[kind] = await _tried(client, messages=make(MESSAGES))
            arrived.extend((kind, request.body) for request in stage.provider.requests[hits:])
        return outcomes

    outcomes = stage.agree(caller, scenario)

    half = len(arrived) // 2
    assert arrived[:half] == arrived[half:]
    assert json.loads(arrived[0][1])["messages"] == MESSAGES
    assert outcomes["tuple"][0] == "answered"
    assert _stored(stage) == [json.loads(content) for _, content in arrived[half:]]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_values_of_any_kind_arrive_as_the_sdk_writes_them(caller: Caller, stage: Stage) -> None:
    """Where it accepts them; where it does not, its own error stays, and nothing of ours stumbles first."""
    arrived: list[Any] = []

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for kind, make in VALUES.items():
            hits = stage.provider.hits
            place = "metadata" if kind in ("bytes", "time", "number") else "extra_body"
            outcomes[kind] = await _tried(client, **{place: {"x": make()}}, timeout=library(caller).Timeout(5))
            arrived.extend((kind, request.body) for request in stage.provider.requests[hits:])
        return outcomes

    outcomes = stage.agree(caller, scenario, options=lambda: {"max_retries": 0})

    half = len(arrived) // 2
    assert arrived[:half] == arrived[half:]
    assert outcomes["tuple"][0] == "answered"
    assert _stored(stage) == [json.loads(content) for _, content in arrived[half:]]
