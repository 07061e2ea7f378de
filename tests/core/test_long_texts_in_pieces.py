"""Texts of several megabytes in pieces: searched window by window, and secrets over their edges are found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from intercept.redaction import channels
from tests.core.redacting import answered, redaction
from tests.core.secrets import NAMES, secret
from tests.core.splitting import STREAMS, sse

_STREAM = STREAMS["chat content"]


def _joined(events: list[Any]) -> str:
    return "".join(_STREAM.read(event["data"]) or "" for event in events)


@pytest.mark.parametrize("length", [1, 7, 300])
@pytest.mark.parametrize("gap", [0, 1, 13, 64, 200])
def test_a_secret_over_the_edge_of_a_window_is_found(length: int, gap: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands before it; windows are small here, so that there are many edges."""
    monkeypatch.setattr(channels, "_WINDOW", 2_000)
    monkeypatch.setattr(channels, "_OVERLAP", 1_500)
    planted = [secret(name) for name in NAMES if name not in ("e-mail", "phone", "cookie")]
    text = "".join(f" {'x' * gap} {each.text} and more. " for each in planted)

    events = answered(
        "text/event-stream",
        sse(_STREAM.delta(text[start : start + length], 0) for start in range(0, len(text), length)),
        pieces=_STREAM.pieces,
    )

    assert _joined(events) == redaction().text(text)
    assert [each.kind for each in planted if each.left_in(json.dumps(events))] == []


def test_one_piece_may_be_longer_than_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a secret longer than what windows share."""
    monkeypatch.setattr(channels, "_WINDOW", 100)
    monkeypatch.setattr(channels, "_OVERLAP", 20)
    text = "word " * 200 + secret("openai project 74").text + " " + "word " * 200 + secret("private key").text

    for length in (3, 90, 5_000):
        parts = [text[start : start + length] for start in range(0, len(text), length)]
        events = answered("text/event-stream", sse(_STREAM.delta(part, 0) for part in parts), pieces=_STREAM.pieces)

        assert _joined(events) == redaction().text(text)
