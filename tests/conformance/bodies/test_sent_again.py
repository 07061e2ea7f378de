"""Uploads that are sent twice over real HTTP: after an error, and to where a redirect points."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intercept.loopback import Answer
from tests.conformance.bodies.uploading import CONTENT, OneShot, body, framing, left, upload
from tests.conformance.callers import CALLERS, Caller
from tests.conformance.errors.caught import ERRORS
from tests.conformance.stage import Stage

AGAIN = Answer(500, {"error": {"message": "Again."}}, (("retry-after-ms", "1"),))


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("form", ["bytes", "file", "buffer", "one-shot"])
@pytest.mark.parametrize("first", ["error", 307, 308, 302, 303])
def test_what_is_sent_twice_arrives_twice_as_without_us(
    caller: Caller, form: str, first: str | int, stage: Stage, tmp_path: Path
) -> None:
    """A file is wound back for the second time; an error is a row, a redirect is part of one."""
    (tmp_path / "a.bin").write_bytes(CONTENT)
    arrived: list[Any] = []

    async def scenario(client: Any) -> Any:
        given: dict[str, Callable[[], Any]] = {
            "bytes": lambda: CONTENT,
            "file": lambda: (tmp_path / "a.bin").open("rb"),
            "buffer": lambda: io.BytesIO(CONTENT),
            "one-shot": OneShot,
        }
        file = given[form]()
        try:
            result = await upload(client, ("a.bin", file, "text/plain"))
        except ERRORS as error:
            result = type(error).__qualname__
        return [result, left(file)]

    def noted() -> list[Any]:
        return [
            (request.method, request.path, request.header("content-type") and body(request), framing(request))
            for request in stage.provider.requests
        ]

    answer = AGAIN if first == "error" else Answer(int(first), headers=(("location", "/v1/files?moved=1"),))
    unpatched = stage.live(caller, scenario, [answer])
    arrived = noted()
    recorded, recording = stage.recorded(caller, scenario, [answer])
    arrived_while_recording = noted()
    replayed, replay = stage.replayed(caller, scenario)

    assert arrived_while_recording == arrived
    assert recorded == unpatched
    assert replayed == unpatched
    assert [played.status for played in replay.calls] == [played.status for played in recording.calls]
    if form != "one-shot":
        assert [request[0] for request in arrived] == ["POST", "GET" if first in (302, 303) else "POST"]
        assert [played.status for played in replay.calls] == ([500, 200] if first == "error" else [200])
