"""Events of no known form, as a file edited by hand may hold them: one error, whatever they are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intercept.events import MalformedEvent, restore
from intercept.spi import JSON
from tests.core.json_values import VALUES

_MALFORMED: dict[str, JSON] = {
    "null": None,
    "a number": 7,
    "text": "data: 1\n\n",
    "a list": [["text", "a"]],
    "nothing": {},
    "an unknown form": {"xml": "<a/>"},
    "only a name": {"event": "ping"},
    "text that is none": {"text": 7},
    "null for text": {"text": None},
    "text no UTF-8 can hold": {"text": "\ud800"},
    "base64 that is none": {"base64": "%%%"},
    "base64 cut short": {"base64": "QQ"},
    "base64 with other letters": {"base64": "éé=="},
    "base64 that is no text": {"base64": [65]},
    "an unknown style": {"json": {}, "style": "loose"},
    "a style that is no text": {"json": {}, "style": 2},
    "a style that is a list": {"json": {}, "style": ["compact"]},
    "a tail that is no text": {"json": {}, "tail": 0},
    "a pad that is no number": {"json": {}, "pad": " "},
    "a pad that is too long for any memory": {"json": {}, "pad": 10**13},
    "a pad past what a machine can count": {"json": {}, "pad": 10**30},
    "a pad below zero": {"json": {}, "pad": -1},
    "a name that is no text": {"event": 1, "data": {}},
    "a null name": {"event": None, "data": {}},
    "a lone surrogate in data": {"data": {"a": "\ud800"}},
    "NaN": {"json": [math.nan]},
    "infinity": {"data": {"a": -math.inf}},
}


@pytest.mark.parametrize("event", _MALFORMED.values(), ids=_MALFORMED.keys())
def test_an_event_of_no_known_form_is_refused(event: JSON) -> None:
    """By one error, so that a reader can say where it stands; what is before it is given."""
    rest: list[JSON] = [{"text": "before"}, event]
    chunks = restore(rest)

    assert next(chunks) == b"before"
    with pytest.raises(MalformedEvent):
        next(chunks)


_fields = st.sampled_from(["text", "base64", "data", "json", "event", "style", "tail", "other"])
_events = st.lists(VALUES | st.dictionaries(_fields, VALUES | st.sampled_from(["compact", "spaced-ascii", "QQ=="])))


@given(events=_events)
def test_any_json_in_place_of_events_gives_bytes_or_the_one_error(events: list[JSON]) -> None:
    """Hand-edited files hold anything."""
    try:
        assert isinstance(b"".join(restore(events)), bytes)
    except MalformedEvent:
        return
