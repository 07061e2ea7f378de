"""Through the real SDKs over real HTTP: whatever secret stands wherever it may, nothing of it reaches the disk."""

from __future__ import annotations

import json
from typing import Any

import pytest

import intercept
from intercept.spi import JSON
from tests.conformance.asking_secrets import POSITIONS, Position
from tests.conformance.callers import CALLERS, Caller
from tests.conformance.outcomes import seen
from tests.conformance.stage import Stage
from tests.core.searching import bytes_under, left, strings
from tests.core.secrets import CLASSES, Maker, Secret

KEY = "local-" + "k3Y" * 12
LAYOUTS = {"file": "test.jsonl", "folder": "test/"}
CELLS = [
    pytest.param(
        caller,
        position,
        cassette,
        id=f"{caller}-{name}-{layout}",
        marks=[pytest.mark.slow] if caller.is_async or layout == "folder" else [],
    )
    for name, position in POSITIONS.items()
    for caller in CALLERS
    if position.sdk in (None, caller.sdk)
    for layout, cassette in LAYOUTS.items()
]
QUICK = [cell for cell in CELLS if not cell.marks]


def _asked(caller: Caller, position: Position, url: str, secrets: list[Secret], key: str | None) -> Any:
    async def scenario(client: Any) -> Any:
        return await position.asked(client, [secret.text for secret in secrets])

    return seen(caller.run(scenario, caller.client(url, key=key, max_retries=0)))


def _play(stage: Stage, caller: Caller, position: Position, layout: str, secrets: list[Secret]) -> tuple[Any, Any]:
    """Record a call that holds these secrets, look for them in what was written, and replay it with others."""
    path = stage.cassette.parent / layout
    if position.answered is not None:
        stage.provider.answer(position.answered([secret.text for secret in secrets]))
    wished: Any = {"redact": [intercept.EMAIL, intercept.PHONE], "keep_headers": position.keep_headers}
    with intercept.use_cassette(path, mode="record", **wished) as session:
        recorded = _asked(caller, position, stage.provider.url, secrets, KEY)
    assert len(session.calls) == 1
    content = bytes_under(path.parent)
    assert b"REDACTED" in content or position is POSITIONS["a request's headers"]
    assert left(content, secrets) == [], "a secret is on the disk"
    assert left(_joined(content), secrets) == [], "a secret is on the disk, in pieces"
    assert KEY.encode() not in content
    with intercept.use_cassette(path, **wished) as session:
        replayed = _asked(caller, position, stage.canary.url, [Maker("rotated").again(each) for each in secrets], None)
    assert [call.live for call in session.calls] == [False]
    return recorded, replayed


def _joined(content: bytes) -> str:
    """Join the pieces of each channel, whichever they are: the strings that stand in one place of successive events."""
    found: dict[str, list[str]] = {}
    for line in content.splitlines():
        if line.startswith(b"{"):
            for event in json.loads(line).get("events", ()):
                for place, text in _placed(event, ""):
                    found.setdefault(place, []).append(text)
    return "\n".join("".join(texts) for texts in found.values())


def _placed(value: JSON, place: str) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(place, value)]
    if isinstance(value, list):
        return [found for item in value for found in _placed(item, f"{place}.*")]
    if not isinstance(value, dict):
        return []
    index = value.get("index", value.get("output_index", ""))
    return [found for name, item in value.items() for found in _placed(item, f"{place}.{index}{name}")]


def _shape(value: JSON) -> Any:
    """Return a value with its texts taken out; those that hold JSON hold it still."""
    if isinstance(value, dict):
        return [_shape(item) for item in value.values()]
    if isinstance(value, list):
        return [_shape(item) for item in value]
    if isinstance(value, str) and value.startswith("{"):
        try:
            return ["JSON", _shape(json.loads(value))]
        except ValueError:
            return "text"
    return "text" if isinstance(value, str) else value


@pytest.mark.parametrize(("caller", "position", "layout"), CELLS)
def test_no_secret_reaches_the_disk(caller: Caller, position: Position, layout: str, stage: Stage) -> None:
    """One secret of every class at once; the replay has the structure that was recorded, for rotated ones too."""
    secrets = Maker(str(caller)).all()

    recorded, replayed = _play(stage, caller, position, layout, secrets)

    assert _shape(replayed) == _shape(recorded)
    assert left(json.dumps([*strings(replayed)]), secrets) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize(("caller", "position", "layout"), QUICK)
def test_no_secret_reaches_the_disk_alone(
    caller: Caller, position: Position, layout: str, kind: str, stage: Stage
) -> None:
    """Each class alone in each place: none is found because another one is near."""
    secrets = [CLASSES[kind](Maker((kind, str(caller))), kind)]

    recorded, replayed = _play(stage, caller, position, layout, secrets)

    assert _shape(replayed) == _shape(recorded)


def test_every_class_is_tried_in_every_place() -> None:
    """The size of the matrix: 41 classes, in 20 places, for whichever SDK has the place, in both ways and layouts."""
    assert len(CLASSES) == 41
    assert len(CLASSES) * len(CELLS) == 41 * 120
