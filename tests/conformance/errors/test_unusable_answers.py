"""Answers that came well and are of no use to the SDK: it says so in the same words, live and replayed."""

from __future__ import annotations

from typing import Any, Final

import pydantic
import pytest

from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, Caller
from tests.conformance.errors.caught import ERRORS, told
from tests.conformance.stage import Stage
from tests.conformance.ways import Way, helper, name, parse, plain, stream, streaming_response

BODIES: Final[dict[str, Answer]] = {
    "a page": Answer(200, "<html>\u00e9</html>", content_type="text/html; charset=utf-8"),
    "text": Answer(200, "hello"),
    "nothing": Answer(200, b"", content_type="application/json"),
    "nothing, of no type": Answer(200),
    "half a JSON": Answer(200, b'{"id": ', content_type="application/json"),
    "a list": Answer(200, [1, 2]),
    "a number": Answer(200, b"42", content_type="application/json"),
    "null": Answer(200, b"null", content_type="application/json"),
    "an empty object": Answer(200, {}),
    "fields of other types": Answer(200, {"id": 5, "choices": "none", "content": "none", "model": [], "usage": "much"}),
    "no content": Answer(204),
    "accepted": Answer(202, {"id": "later"}),
    "not modified": Answer(304),
    "no UTF-8": Answer(200, b"\xff\xfe\x80", content_type="application/json"),
}


async def _outcome(way: Way, client: Any, text: str) -> Any:
    """Ask, and return what was answered, or the SDK's, pydantic's or JSON's own error."""
    try:
        answer = await way(client, text)
    except ERRORS as error:
        return told(error)
    except (ValueError, TypeError, AttributeError, pydantic.ValidationError) as error:
        return [type(error).__qualname__, str(error)]
    return ["answer", answer]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize(
    ("way", "strict"),
    [*((way, False) for way in (plain, stream, helper, parse, streaming_response)), (plain, True), (parse, True)],
    ids=lambda value: name(value) if callable(value) else "strict" if value else "lax",
)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_an_answer_of_the_wrong_kind_ends_as_without_us(caller: Caller, way: Way, strict: bool, stage: Stage) -> None:
    """Whether the SDK takes it as it is, refuses it (`_strict_response_validation`) or stumbles over it."""

    async def scenario(client: Any) -> dict[str, Any]:
        return {kind: await _outcome(way, client, kind) for kind in BODIES}

    outcomes = stage.agree(
        caller,
        scenario,
        *BODIES.values(),
        options=lambda: {"max_retries": 0, "_strict_response_validation": strict},
    )

    assert outcomes
