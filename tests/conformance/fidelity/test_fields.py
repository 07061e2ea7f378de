"""Fields and writings that nobody foresaw: models keep what is new in them, texts keep every blank."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.fidelity.answers import body, written
from tests.conformance.stage import Stage
from tests.conformance.ways import question, resource

NEW: Final[dict[str, Any]] = {
    "brand_new": {"a": [1, 2.50, None, True], "\u00e9": "\U0001f600"},
    "_private": "x",
    "model_config": {"no": "setting"},
    "class": "word",
    "with-dash": 2**53 + 1,
    "": "nameless",
}
NUMBERS: Final = "[1, 1.0, 1.10, 1e3, 1E+3, 1e-7, -0, -0.0, 9007199254740993, 123456789012345678901234567890, 0.1]"
WRITINGS: Final[dict[str, str]] = {
    "numbers": '{"x": ' + NUMBERS + "}",
    "numbers, tight": '{"x":' + NUMBERS.replace(" ", "") + "}",
    "too big a number": '{"x":1e400}',
    "escapes": r'{"x":"caf\u00e9 \/ \" \\ \b\f\n\r\t \u0041 \u2028 \ud83d\ude00 \u0000"}',
    "letters": '{"x":"caf\u00e9 / \u2028 \U0001f600 \x7f"}',
    "lone surrogate": r'{"x":"\ud800"}',
    "upper case escapes": r'{"x":"\u00E9"}',
    "indented by two": json.dumps({"x": [1, {"y": []}], "z": {}}, indent=2),
    "indented by four": json.dumps({"x": [1, {"y": []}], "z": {}}, indent=4),
    "indented by tabs": json.dumps({"x": [1, {"y": []}]}, indent="\t"),
    "indented by three": json.dumps({"x": [1, {"y": []}]}, indent=3),
    "odd blanks": ' {\r\n"x" :\t[ 1 ,2]  } \n\n',
    "blanks after": '{"x":1}     \r\n\t ',
    "keys twice": '{"x":1,"x":2,"y":{"z":1,"z":1}}',
    "keys turned": '{"z":1,"a":2}',
    "empty": "{}",
    "a list": "[]",
    "text": '"x"',
    "null": " null ",
    "deep": '{"x":' * 150 + "1" + "}" * 150,
    "long": '{"x":"' + "long " * 5000 + '"}',
}


def _with(caller: Caller, text: str) -> str:
    """Put a writing into an answer that the SDK takes, as its last field, or give it alone."""
    return json.dumps(body(caller))[:-1] + ', "new": ' + text + "}"


async def _raw(client: Any) -> Any:
    view = await settled(resource(client).with_raw_response.create(**question(client)))
    model = await settled(view.parse())
    response = view.http_response
    return [
        response.text,
        response.content,
        model,
        repr(model),
        sorted(model.model_fields_set),
        model.to_dict(),
        model.to_json(),
        model.to_json(indent=None, use_api_names=False),
        model.model_dump_json(exclude_unset=True),
        repr(getattr(model, "brand_new", None)),
        repr(getattr(model, "new", None)),
    ]


async def _text(client: Any) -> Any:
    view = await settled(resource(client).with_raw_response.create(**question(client)))
    return [view.http_response.text, view.http_response.json()]


async def _model(client: Any) -> Any:
    view = await settled(resource(client).with_raw_response.create(**question(client)))
    return [view.http_response.text, repr(await settled(view.parse()))]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_new_fields_stay(caller: Caller, stage: Stage) -> None:
    """At the top and inside: as attributes, among what was set, in `model_extra` and when written out again."""
    inside = {"usage": {"input_tokens": 1, "output_tokens": 2, "prompt_tokens": 1, "new": NEW}}
    plain = written(json.dumps(body(caller, **NEW)))
    nested = written(json.dumps(body(caller, **inside)))

    async def scenario(client: Any) -> Any:
        return [await _raw(client), await _raw(client)]

    (_, _, model, *_), _ = stage.agree(caller, scenario, plain, nested)

    assert model["extra"]["brand_new"] == NEW["brand_new"]
    assert model["extra"]["with-dash"] == 2**53 + 1


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_a_text_keeps_its_writing(caller: Caller, stage: Stage) -> None:
    """Numbers, escapes, blanks and indentation reach the application byte for byte, alone and inside an answer."""
    texts = [_with(caller, text) for text in WRITINGS.values()]

    async def scenario(client: Any) -> Any:
        alone = [await _text(client) for _ in WRITINGS]
        return [alone, [await _model(client) for _ in texts]]

    alone, inside = stage.agree(caller, scenario, *map(written, WRITINGS.values()), *map(written, texts))

    assert [text for text, _ in alone] == list(WRITINGS.values())
    assert [text for text, _ in inside] == texts
