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


def _files(folder: Path) -> dict[str, Callable[[], Any]]:
    path = folder / "a.bin"
    path.write_bytes(CONTENT)
    return {
        "bytes": lambda: CONTENT,
        "file": lambda: path.open("rb"),
        "buffer": lambda: io.BytesIO(CONTENT),
        "one-shot": OneShot,
    }


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize("first", ["error", 307, 308, 303])
def test_what_is_sent_twice_arrives_twice_as_without_us(
    caller: Caller, first: str | int, stage: Stage, tmp_path: Path
) -> None:
    """A file is wound back for the second time; an error is a row, a redirect is part of one."""
    files = _files(tmp_path)
    arrived: list[Any] = []

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for form, make in files.items():
            file = make()
            hits = stage.provider.hits
            if str(client.base_url).startswith(stage.provider.url):
                stage.provider.answer(
                    AGAIN if first == "error" else Answer(int(first), headers=(("location", "/v1/files?moved=1"),))
                )
            try:
                result = await upload(client, ("a.bin", file, "text/plain"))
            except ERRORS as error:
                result = type(error).__qualname__
            outcomes[form] = [result, left(file)]
            arrived.extend(
                (form, request.method, request.query, request.body and body(request), framing(request))
                for request in stage.provider.requests[hits:]
            )
        return outcomes

    played = stage.play(caller, scenario)

    half = len(arrived) // 2
    assert arrived[:half] == arrived[half:]
    assert played.recorded == played.unpatched
    assert played.replayed == played.unpatched
    rows = [500, 200, 500, 200] if first == "error" else [200, 200, 200]
    assert played.statuses[: len(rows)] == rows
    assert [sent[1] for sent in arrived[:2]] == ["POST", "GET" if first == 303 else "POST"]
