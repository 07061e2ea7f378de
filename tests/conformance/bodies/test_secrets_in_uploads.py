"""Files with secrets in them: their digest is that of the file without, so a rotated key is the same upload."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, settled
from tests.conftest import Canary

OPENAI = CALLERS[:2]


def _file(letters: str, kind: str) -> tuple[str, bytes]:
    key = "sk-" + "proj-" + letters * 20
    text = f'{{"custom_id": "1", "note": "mine is {key}"}}\n'.encode()
    return f"{key}.jsonl", text if kind == "text" else b"\xff\xfe" + text + b"\x00"


def _sent(caller: Caller, url: str, cassette: Path, mode: str, file: tuple[str, bytes]) -> list[str]:
    async def scenario(client: Any) -> None:
        await settled(client.files.create(file=file, purpose="batch"))

    with intercept.use_cassette(cassette, mode=mode) as session:
        caller.run(scenario, caller.client(url))
    return [played.request_hash for played in session.calls]


@pytest.mark.parametrize("caller", OPENAI, ids=str)
@pytest.mark.parametrize("kind", ["text", "binary"])
def test_a_rotated_key_in_a_file_is_the_same_upload(
    caller: Caller, kind: str, provider: Provider, canary: Canary, cassette: Path
) -> None:
    """In its name and in its content; another content is another upload."""
    recorded = _sent(caller, provider.url, cassette, "record", _file("a1", kind))

    replayed = _sent(caller, canary.url, cassette, "replay", _file("b2", kind))

    assert replayed == recorded
    assert "a1a1" not in cassette.read_text()
    name, content = _file("b2", kind)
    with pytest.raises(intercept.NeverRecorded):
        _sent(caller, canary.url, cassette, "replay", (name, content + b"more"))
