"""Answers that are no JSON object: sound, files, lines of JSON; to the byte, however they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from intercept.loopback import Answer
from tests.conformance.callers import CALLERS, Caller, each, entered, settled
from tests.conformance.errors.caught import ERRORS
from tests.conformance.stage import Stage
from tests.conformance.ways import name

SOUND: Final = b"ID3\x04\x00\x00" + bytes(range(256)) * 40 + b"\r\n\r\n\xff\xfb\x00"
BODIES: Final[dict[str, Answer]] = {
    "sound": Answer(200, SOUND, content_type="audio/mpeg"),
    "sound in chunks": Answer(
        200, content_type="audio/mpeg", chunks=tuple(SOUND[at : at + 700] for at in range(0, len(SOUND), 700))
    ),
    "sound of no type": Answer(200, SOUND),
    "text": Answer(200, b"\xef\xbb\xbfcaf\xc3\xa9\r\n\x00tail", content_type="text/plain; charset=utf-8"),
    "Latin-1": Answer(200, b"caf\xe9\n", content_type="text/plain; charset=iso-8859-1"),
    "nothing": Answer(200, b"", content_type="application/octet-stream"),
    "JSON": Answer(200, b'{ "a": 1.0,\n "b":1e3 }\n', content_type="application/json"),
    "lines": Answer(200, b'{"a":1}\r\n\r\n{ "b" : "\\u00e9" }\n{"c":2}', content_type="application/x-jsonl"),
    "lines that are none": Answer(200, b'{"a":1}\n{"b":\n\xff\n', content_type="application/jsonl"),
    "events": Answer(200, b"data: {}\n\n", content_type="text/event-stream"),
    "zip": Answer(200, b"PK\x03\x04\x00\x00data: x\n\n", content_type="application/zip"),
}


def _get(client: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Return what gets a binary answer, the same with a body that is read later, and its arguments."""
    if hasattr(client, "chat"):
        files, arguments = client.audio.speech, {"model": "tts-1", "voice": "alloy", "input": "?"}
        return files.create, files.with_streaming_response.create, arguments
    files = client.beta.files
    return files.download, files.with_streaming_response.download, {"file_id": "file_1"}


async def _whole(client: Any, folder: Path) -> Any:
    get, _, arguments = _get(client)
    answer = await settled(get(**arguments))
    # The oldest kind of binary answer is one class for both ways.
    by = "aread" if hasattr(answer, "aread") and type(client).__name__.startswith("Async") else "read"
    read = await settled(getattr(answer, by)())
    await settled(answer.write_to_file(folder / "whole"))
    return [type(answer).__qualname__, read, (folder / "whole").read_bytes()]


async def _in_pieces(client: Any, folder: Path) -> Any:
    _, get, arguments = _get(client)
    async with entered(get(**arguments)) as answer:
        pieces = await each(answer.iter_bytes(1000))
    async with entered(get(**arguments)) as answer:
        await settled(answer.stream_to_file(folder / "streamed", chunk_size=333))
        left = answer.is_closed
    return [pieces, left, (folder / "streamed").read_bytes()]


async def _as_text(client: Any, _folder: Path) -> Any:
    _, get, arguments = _get(client)
    read: list[Any] = []
    for way in ("iter_lines", "iter_text"):
        async with entered(get(**arguments)) as answer:
            read.append(await each(getattr(answer, way)()))
    async with entered(get(**arguments)) as answer:
        read.append(await settled(answer.text()))
    return [read[0], "".join(read[1]), read[2]]


@pytest.mark.parametrize("caller", CALLERS, ids=str)
@pytest.mark.filterwarnings("ignore:.*ended without its terminal")
@pytest.mark.parametrize("way", [_whole, _in_pieces, _as_text], ids=name)
def test_an_answer_is_the_same_to_the_byte(caller: Caller, way: Any, stage: Stage, tmp_path: Path) -> None:
    """NUL and 0xFF, no type, other encodings, lines, nothing at all: read whole, in pieces, as text, into a file."""

    async def scenario(client: Any) -> dict[str, Any]:
        return {kind: await way(client, tmp_path) for kind in BODIES}

    times = {_whole: 1, _in_pieces: 2, _as_text: 3}[way]
    answers = [answer for answer in BODIES.values() for _ in range(times)]

    answered = stage.agree(caller, scenario, *answers)

    if way is not _as_text:
        assert [outcome[2] for outcome in answered.values()] == [
            answer.payload() or b"".join(answer.chunks or ()) for answer in BODIES.values()
        ]


async def _results(client: Any) -> Any:
    results = await settled(client.messages.batches.results("batch_1"))
    read: list[Any] = [type(results).__qualname__]
    try:
        read += await each(results)
    except (*ERRORS, ValueError) as error:
        read.append(type(error).__qualname__)
    return read


@pytest.mark.parametrize("caller", CALLERS[2:], ids=str)
def test_results_of_a_batch_come_line_by_line(caller: Caller, stage: Stage) -> None:
    """Each is the SDK's object; lines of any writing, and one that is broken, come as without us."""
    batch = {"id": "batch_1", "type": "message_batch", "processing_status": "ended", "results_url": "/v1/results/1"}
    lines = [
        {"custom_id": str(number), "result": {"type": "errored", "error": {"type": "error", "error": {"type": "x"}}}}
        for number in range(3)
    ]
    good = b"\r\n".join(json.dumps(line, indent=None).encode() for line in lines)
    answers = [Answer(200, batch), Answer(200, good, content_type="application/x-jsonl")]
    broken = [Answer(200, batch), Answer(200, good + b'\n{"custom', content_type="application/binary")]

    async def scenario(client: Any) -> Any:
        return [await _results(client), await _results(client)]

    whole, cut = stage.agree(caller, scenario, *answers, *broken)

    assert [line["fields"]["custom_id"] for line in whole[1:]] == ["0", "1", "2"]
    assert cut[-1] == "JSONDecodeError"
