"""Structured outputs and the SDKs' own stream helpers."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal

import pytest
from pydantic import BaseModel, Field

from intercept.loopback.schema import example

if TYPE_CHECKING:
    from .clients import Clients


class Place(BaseModel):
    """Where."""

    city: str
    country: str | None


class Weather(BaseModel):
    """What the model is to fill in."""

    place: Place
    kind: Literal["sun", "rain"]
    degrees: float
    days: list[int]


class Kind(Enum):
    """An enumeration."""

    ONE = "one"
    TWO = "two"


class Node(BaseModel):
    """A schema that contains itself."""

    name: str = Field(min_length=30)
    kind: Kind
    count: int = Field(gt=5, multiple_of=4)
    share: float = Field(ge=0, lt=0.25)
    next: Node | None
    children: list[Node]
    pair: tuple[int, str]


class Loose(BaseModel):
    """Nothing required."""

    note: str = "none"


WEATHER = Weather(place=Place(city="value 1", country="value 1"), kind="sun", degrees=0.5, days=[1])


@pytest.mark.parametrize("model", [Weather, Node, Loose, Place])
def test_an_example_is_valid_for_its_schema(model: type[BaseModel]) -> None:
    """References, unions, limits, enumerations and recursion all give a value the model accepts."""
    model.model_validate(example(model.model_json_schema(), "value"))


def test_chat_parse_and_stream_fill_the_model(clients: Clients) -> None:
    """``.parse`` and ``.stream`` of chat completions give the parsed object."""
    client = clients.openai()
    parsed = client.chat.completions.parse(
        model="m", messages=[{"role": "user", "content": "hi"}], response_format=Weather
    )
    with client.chat.completions.stream(
        model="m", messages=[{"role": "user", "content": "hi"}], response_format=Weather
    ) as stream:
        kinds = {event.type for event in stream}
        streamed = stream.get_final_completion()

    assert parsed.choices[0].message.parsed == WEATHER
    assert streamed.choices[0].message.parsed is not None
    assert streamed.choices[0].message.parsed.place.city == "value 2"
    assert {"chunk", "content.delta", "content.done"} <= kinds


def test_responses_parse_and_stream_fill_the_model(clients: Clients) -> None:
    """``.parse`` and ``.stream`` of responses give the parsed object."""
    client = clients.openai()
    parsed = client.responses.parse(model="m", input="hi", text_format=Weather)
    with client.responses.stream(model="m", input="hi", text_format=Weather) as stream:
        numbers = [event.sequence_number for event in stream]
        streamed = stream.get_final_response()

    assert parsed.output_parsed == WEATHER
    assert streamed.output_parsed is not None
    assert streamed.output_parsed.place.city == "value 2"
    assert numbers == list(range(len(numbers)))


def test_messages_parse_fills_the_model(clients: Clients) -> None:
    """``.parse`` of messages gives the parsed object; the oldest SDKs do not have it."""
    client = clients.anthropic()
    if not hasattr(client.messages, "parse"):
        pytest.skip("this SDK has no messages.parse")
    parsed = client.messages.parse(
        model="m", max_tokens=99, messages=[{"role": "user", "content": "hi"}], output_format=Weather
    )

    assert parsed.parsed_output == WEATHER


def test_messages_stream_helper_tells_every_event(clients: Clients) -> None:
    """The helper's derived events come between the provider's own."""
    with clients.anthropic().messages.stream(
        model="m", max_tokens=99, messages=[{"role": "user", "content": "hi"}]
    ) as stream:
        kinds = [event.type for event in stream]
        message = stream.get_final_message()

    assert kinds[:2] == ["message_start", "content_block_start"]
    assert kinds.count("text") == 4
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens > 1
