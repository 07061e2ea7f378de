"""The folder of real recordings is read whole: every file, every interaction, every body decoded."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from .corpus import ABSENT, NOT_HTTP, Recording, folder, index, recordings
from .endpoints import LEFT_OUT, covered, endpoint, not_in_sdk

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(folder() is None, reason=ABSENT)


def _name(recording: Recording) -> str:
    return recording.name


def _file(row: dict[str, str]) -> str:
    return row["path"]


def _counted() -> list[dict[str, str]]:
    return [row for row in index() if row["http_status"] != "-" and row["path"] not in NOT_HTTP]


every_recording = pytest.mark.parametrize("recording", recordings(), ids=_name)


def test_every_file_of_the_index_is_read_or_named_as_no_http() -> None:
    """No file is passed over in silence, and none is read that the list says is not HTTP."""
    read = {recording.file for recording in recordings()}

    assert {row["path"] for row in index()} == read | NOT_HTTP.keys()
    assert not read & NOT_HTTP.keys()


@pytest.mark.parametrize("row", index(), ids=_file)
def test_a_file_yields_as_many_interactions_as_the_index_counts(row: dict[str, str]) -> None:
    """The index was made by another program; a bare stream, which it does not count, is one."""
    counted = 0 if row["path"] in NOT_HTTP else 1 if row["interactions"] == "-" else int(row["interactions"])

    found = [recording for recording in recordings() if recording.file == row["path"]]

    assert [recording.index for recording in found] == list(range(counted))


@pytest.mark.parametrize("row", _counted(), ids=_file)
def test_statuses_are_those_the_index_counts(row: dict[str, str]) -> None:
    """In the index "200x3,400x2" is three answers of 200 and two of 400."""
    counted = [status.split("x") for status in row["http_status"].split(",")]

    found = Counter(recording.status for recording in recordings() if recording.file == row["path"])

    assert found == {int(status): int("".join(times) or 1) for status, *times in counted}


@every_recording
def test_a_recording_is_whole_and_decoded(recording: Recording) -> None:
    """Nothing is left of compression and framing, and what says it is JSON or a stream is one."""
    kinds = [value for name, value in recording.headers if name.lower() == "content-type"]
    names = {name.lower() for name, _ in recording.headers}

    assert recording.method in {"GET", "POST", "DELETE"}
    assert recording.path.startswith("/v1/")
    assert not names & {"content-encoding", "content-length", "transfer-encoding"}
    assert not recording.body.startswith(b"\x1f\x8b")
    if kinds and "text/event-stream" in kinds[0]:
        assert b"data:" in recording.body
    elif recording.body.startswith(b"{") and kinds and kinds[0].startswith("application/json"):
        assert json.loads(recording.body)


def test_every_recording_is_driven_or_named_with_a_reason() -> None:
    """Left out, or of an endpoint the installed SDK lacks: either way it is said why."""
    named = {**not_in_sdk(), **LEFT_OUT}

    assert [found for found in recordings() if found.name not in named] == covered()
    assert all(named.values())


def test_a_body_of_values_is_told_apart_from_bytes() -> None:
    """Where the recorder kept parsed values, key order and spacing are gone: such a body is not exact."""
    exact = {recording.file: recording.exact for recording in recordings()}

    assert exact["traceloop__openllmetry/test_chat_with_messages_attributes.yaml"]
    assert not exact["pydantic__pydantic-ai/test_gpt5_pro.yaml"]
    assert not exact["anthropics__anthropic-sdk-python/c11eefc7-fff0-4466-8453-42eef73b8876.json"]
    assert not exact["vercel__ai/openai-error.1.chunks.txt"]


def test_a_repeated_response_header_stays_repeated() -> None:
    """Two cookies are two headers."""
    cookies = [
        name
        for recording in recordings()
        if recording.file == "DataDog__dd-trace-py/embedding_b64.yaml"
        for name, _ in recording.headers
        if name.lower() == "set-cookie"
    ]

    assert cookies == ["Set-Cookie", "Set-Cookie"]


def test_the_endpoints_of_the_folder_are_known_by_name() -> None:
    """The endpoints people use most are all there, whatever provider or gateway was asked."""
    found = {(recording.provider, endpoint(recording)) for recording in recordings()}

    assert found >= {
        ("openai", "POST /v1/chat/completions"),
        ("openai", "POST /v1/completions"),
        ("openai", "POST /v1/responses"),
        ("openai", "POST /v1/embeddings"),
        ("openai", "POST /v1/files"),
        ("openai", "GET /v1/files/{id}/content"),
        ("azure-openai", "POST /v1/chat/completions"),
        ("openrouter", "POST /v1/chat/completions"),
        ("huggingface", "POST /v1/chat/completions"),
        ("anthropic", "POST /v1/messages"),
        ("anthropic", "POST /v1/messages/count_tokens?beta=true"),
        ("anthropic", "POST /v1/files?beta=true"),
    }


def test_no_credential_travels_with_a_recording() -> None:
    """A recording has no place for request headers, and its repr, which a failing test prints, no body."""
    printed = "".join(repr(recording) for recording in recordings())

    assert "request_headers" not in Recording.__slots__
    assert "Bearer" not in printed
    assert len(printed) < 1000 * len(recordings())


def test_without_the_folder_there_is_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A checkout alone has no recordings: lists are empty and tests over them skip."""
    monkeypatch.setenv("INTERCEPT_REALDATA", str(tmp_path))

    assert (folder(), index(), recordings(), covered()) == (None, [], [], [])
