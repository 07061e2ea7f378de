"""Errors whose body is not what the provider's own looks like: a proxy's page, nothing, no JSON, no text."""

from __future__ import annotations

from typing import Any, Final

import pytest

from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, Caller
from tests.conformance.errors.caught import caught, once, told
from tests.conformance.stage import Stage
from tests.conformance.ways import Way, name, plain, stream

PAGE: Final = (
    """<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center>caf\u00e9</center>\r\n</html>"""
)
NESTED: Final = '{"a":' * 200 + "1" + "}" * 200

BODIES: Final[dict[str, Answer]] = {
    "a page": Answer(502, PAGE, content_type="text/html; charset=utf-8"),
    "a page in Latin-1": Answer(502, PAGE.encode("latin-1"), content_type="text/html; charset=iso-8859-1"),
    "a page that says nothing of its text": Answer(502, PAGE.encode("latin-1"), content_type="text/html"),
    "nothing": Answer(500, b"", content_type="application/json"),
    "nothing, of no type": Answer(503),
    "text": Answer(500, "upstream connect error or disconnect/reset before headers. reset reason: overflow"),
    "text that is JSON": Answer(400, '{"error": {"message": "No."}}'),
    "JSON that says it is text": Answer(400, b'{"error":{"message":"No."}}', content_type="text/plain"),
    "JSON of no type": Answer(400, b'{"error":{"message":"No.","type":"x","code":"y","param":"z"}}'),
    "a page that says it is JSON": Answer(500, PAGE.encode(), content_type="application/json"),
    "problem+json": Answer(422, b'{"title":"No.","status":422}\n', content_type="application/problem+json"),
    "a list": Answer(400, [{"error": {"message": "No."}}]),
    "a string": Answer(400, b'"No."', content_type="application/json"),
    "a number": Answer(400, b"42", content_type="application/json"),
    "null": Answer(400, b"null", content_type="application/json"),
    "no object in error": Answer(400, b'{"error":"No.","detail":[1,2.0,null]}', content_type="application/json"),
    "half a JSON": Answer(500, b'{"error": {"message": "No', content_type="application/json"),
    "no UTF-8": Answer(500, b"\xff\xfe\x00oops\x80", content_type="application/json"),
    "no UTF-8, of no type": Answer(500, b"\x80\x81\x82\x00\xff"),
    "JSON in UTF-16": Answer(400, '{"error":{"message":"No."}}'.encode("utf-16"), content_type="application/json"),
    "JSON after a BOM": Answer(400, b'\xef\xbb\xbf{"error":{"message":"No."}}', content_type="application/json"),
    "spaced JSON": Answer(
        400, b'{\n   "error" : {\t"message": "No.\\u00e9\\/" }\r\n}\n\n', content_type="application/json"
    ),
    "twice the same key": Answer(400, b'{"error":{"message":"A","message":"B"}}', content_type="application/json"),
    "deep JSON": Answer(400, NESTED.encode(), content_type="application/json"),
    "NaN": Answer(400, b'{"error":{"message":NaN}}', content_type="application/json"),
    "an event": Answer(500, b'event: error\ndata: {"error":{"message":"No."}}\n\n', content_type="text/event-stream"),
    "a type that is none": Answer(500, b'{"error":{"message":"No."}}', content_type="?;;charset=nonsense"),
}


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("way", [plain, stream], ids=name)
def test_a_body_of_any_kind_makes_the_same_error(caller: Caller, way: Way, stage: Stage) -> None:
    """Its bytes, its text, what is parsed of it, and what the SDK makes of that."""

    async def scenario(client: Any) -> dict[str, Any]:
        return {kind: told(await caught(way, client, kind)) for kind in BODIES}

    errors = stage.agree(caller, scenario, *BODIES.values(), options=once)

    assert [error["status_code"] for error in errors.values()] == [answer.status for answer in BODIES.values()]
    assert [error["response"]["body"][0] for error in errors.values()] == [
        answer.payload() for answer in BODIES.values()
    ]
