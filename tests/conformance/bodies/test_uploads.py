"""Uploads: they reach the provider as without us, and are known by what they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer
from tests.conformance.bodies.uploading import CONTENT, FORMS, body, framing, left, upload
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conformance.stage import Stage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file to upload."""
    made = tmp_path / "notes.txt"
    made.write_bytes(CONTENT)
    return made


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_file_in_any_form_arrives_as_without_us(caller: Caller, stage: Stage, path: Path) -> None:
    """The bytes on the wire, how their length is told, the answer, and where the file given stands afterwards."""
    arrived: list[Any] = []

    async def scenario(client: Any) -> dict[str, Any]:
        outcomes: dict[str, Any] = {}
        for form, make in FORMS.items():
            file = make(path)
            hits = stage.provider.hits
            try:
                result = await upload(client, file)
            except Exception as error:  # noqa: BLE001  what no SDK takes is refused in its own words
                result = [type(error).__qualname__, str(error)[:60]]
            outcomes[form] = [result, left(file)]
            arrived.extend((form, body(request), framing(request)) for request in stage.provider.requests[hits:])
        return outcomes

    outcomes = stage.agree(caller, scenario, options=lambda: {"max_retries": 0})

    half = len(arrived) // 2
    assert arrived[:half] == arrived[half:]
    assert {form for form, *_ in arrived} >= FORMS.keys() - {"text", "iterator", "(None, bytes)", "(name, Path)"}
    assert outcomes["Path"][0]["fields"]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.parametrize(
    "changed",
    [("a.txt", b"two"), ("b.txt", b"one"), ("a.txt", b"one", "text/markdown"), ("a.txt", b"one\n"), ("a.txt", b"")],
    ids=["content", "name", "type", "newline", "empty"],
)
def test_another_file_misses(caller: Caller, changed: Any, stage: Stage) -> None:
    """Its content, its name and its type count."""

    async def as_recorded(client: Any) -> Any:
        return await upload(client, ("a.txt", b"one", "text/plain"))

    async def otherwise(client: Any) -> Any:
        return await upload(client, changed)

    recorded, _ = stage.recorded(caller, as_recorded)
    replayed, _ = stage.replayed(caller, as_recorded)

    assert replayed == recorded
    with pytest.raises(intercept.NeverRecorded):
        stage.replayed(caller, otherwise)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_a_big_file_is_kept_by_its_digest(caller: Caller, stage: Stage) -> None:
    """Eight megabytes leave a line of a few hundred bytes, and replay; one changed byte misses."""
    content = bytes(range(256)) * 32_768

    async def big(client: Any) -> Any:
        return await upload(client, ("big.bin", content))

    async def other(client: Any) -> Any:
        return await upload(client, ("big.bin", content[:-1] + b"\x00"))

    recorded, _ = stage.recorded(caller, big)
    replayed, _ = stage.replayed(caller, big)
    with pytest.raises(intercept.NeverRecorded):
        stage.replayed(caller, other)

    assert replayed == recorded
    assert stage.cassette.stat().st_size < 3000
    parts = json.loads(stage.cassette.read_text().splitlines()[1])["request"]["body"]["parts"]
    assert {part["bytes"] for part in parts if "bytes" in part} == {8_388_608}


@pytest.mark.parametrize("caller", CALLERS[:2], ids=str)
def test_several_files_of_one_call_count_in_their_order(caller: Caller, stage: Stage, path: Path) -> None:
    """A list of images, in three forms; two of them exchanged are another call."""

    def images() -> list[Any]:
        return [("a.png", b"\x89PNG\x00a", "image/png"), path, ("c.png", path.open("rb"))]

    async def edit(client: Any, given: list[Any]) -> Any:
        return await settled(client.images.edit(image=given, prompt="Whiter.", model="gpt-image-1", n=2))

    async def scenario(client: Any) -> Any:
        given = images()
        return [await edit(client, given), left(given)]

    async def exchanged(client: Any) -> Any:
        given = images()[::-1]
        try:
            return await edit(client, given)
        finally:
            left(given)

    answer = {"created": 1, "data": [{"b64_json": "AA=="}, {"b64_json": "/w=="}]}
    stage.agree(caller, scenario, Answer(200, answer))

    assert body(stage.provider.requests[0]).count(b'name="image[]"; filename=') == 3
    with pytest.raises(intercept.NeverRecorded):
        stage.replayed(caller, exchanged)
