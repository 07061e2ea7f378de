"""`intercept.validate`: every fault in the order of the rows, as serving would tell it; nothing for a good cassette."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import Caller, ask, each
from tests.conftest import Canary
from tests.core.handmade import header, laid_out, row
from tests.core.recording import asking, every_caller
from tests.core.storing import every_layout, written

_COMMITTED = sorted((Path(__file__).parents[2] / "cassettes").rglob("*.jsonl"))


@pytest.mark.parametrize("cassette", _COMMITTED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recording_has_no_faults(cassette: Path) -> None:
    """Those that lie in this project among them."""
    assert intercept.validate(cassette) == []


def _edit(where: str, change: dict[str, Any]) -> None:
    """Change fields of a row, wherever it stands."""
    path, colon, number = where.rpartition(":")
    file = Path(path if colon else where)
    lines = file.read_bytes().splitlines(keepends=True) if colon else [file.read_bytes()]
    at = int(number) - 1 if colon else 0
    lines[at] = json.dumps({**json.loads(lines[at]), **change}).encode() + b"\n"
    file.write_bytes(b"".join(lines))


_FAULTS: list[tuple[dict[str, Any], str]] = [
    (
        {"request": {"method": "POST", "path": "/embeddings", "body": {"input": "edited"}}},
        "request: .* record the call",
    ),
    (
        {"request": None},
        "request: .*edited since POST /embeddings was recorded; undo the edit, or record the call anew",
    ),
    ({"provider": "azure-openai"}, "request: it does not fit its request_hash"),
    ({"events": {}}, "events: these must be a list"),
    ({"events": [{"json": {}}, {"xml": ""}]}, "events: "),
    ({"events": [{"base64": "%"}]}, "events: "),
    ({"headers": [["é", "a"]]}, "headers: HTTP cannot carry 'é'"),
    ({"hops": [{"status": 302, "headers": [["location", "你"]]}]}, "headers: HTTP cannot carry 'location'"),
]


@every_layout
def test_every_fault_is_returned_in_the_order_of_the_rows(name: str, path: Path) -> None:
    """Good rows stand between them; what is wrong with one row hides no other."""
    cassette = path.with_name(name)
    rows = [text for number in range(len(_FAULTS)) for text in (written(f"{number}"), written(f"good {number}"))]
    wheres = laid_out(cassette, *rows)
    for where, (change, _) in zip(wheres[::2], _FAULTS, strict=True):
        _edit(where, change)
    expected = list(zip(wheres[::2], [words for _, words in _FAULTS], strict=True))
    if not cassette.suffix:
        expected.sort()

    found = intercept.validate(cassette)

    assert [error.where for error in found] == [where for where, _ in expected]
    for error, (_, words) in zip(found, expected, strict=True):
        assert re.search(words, error.reason)


@every_layout
@every_caller
@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
def test_an_edited_request_is_refused_by_validate_as_by_a_replay(
    caller: Caller, name: str, provider: Provider, canary: Canary, tmp_path: Path, *, stream: bool
) -> None:
    """In the same words, which name the row and the repair; the edit alone is looked at, not how it was written."""
    cassette = tmp_path / name
    if not cassette.suffix:
        cassette.mkdir()
    scenario = _streaming if stream else asking("hi")
    with intercept.use_cassette(cassette, mode="record"):
        caller.run(scenario, caller.client(provider.url))
    assert intercept.validate(cassette) == []
    where = f"{cassette}:2" if cassette.suffix else str(next(cassette.iterdir()))
    _edit(where, {"request": {"method": "POST", "path": "/elsewhere"}})

    with pytest.raises(intercept.CassetteError) as caught, intercept.use_cassette(cassette):
        caller.run(scenario, caller.client(canary.url, max_retries=0))
    (found,) = intercept.validate(cassette)

    assert str(found) == str(caught.value)
    assert found.where == where
    assert "undo the edit, or record the call anew" in found.reason


async def _streaming(client: Any) -> None:
    await each(await ask(client, stream=True))


@every_layout
def test_what_cannot_be_opened_is_one_fault(name: str, path: Path) -> None:
    """Nothing else is known of it then."""
    cassette = path.with_name(name)
    missing = intercept.validate(cassette)
    _, where = laid_out(cassette, row("a"), row("b", request_hash="1" * 64, status=5))

    assert [error.where for error in missing] == [str(cassette)]
    assert [error.where for error in intercept.validate(cassette)] == [where]


def test_a_path_may_be_text_and_begin_at_the_working_directory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a command line."""
    path.write_bytes(header() + row("edited"))
    monkeypatch.chdir(path.parent)

    found = [intercept.validate(named) for named in (path.name, Path(path.name), os.fspath(path))]

    assert [[error.where.rpartition("/")[2] for error in errors] for errors in found] == [[f"{path.name}:2"]] * 3
