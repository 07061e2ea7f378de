"""The folder of real recordings: where it is, what its index says, and every recording in it.

The folder lies beside the checkout, or where `INTERCEPT_REALDATA` says. It is read in place, never copied.
"""

from __future__ import annotations

import csv
import functools
import json
import os
from pathlib import Path

from .plain_yaml import read
from .recording import Recording
from .shapes import interactions
from .streams import event_lines, event_stream

__all__ = ["ABSENT", "NOT_HTTP", "Recording", "folder", "index", "recordings"]

ABSENT = "no folder of real recordings beside the checkout, and INTERCEPT_REALDATA names none"
_ROOT = Path(__file__).resolve().parents[2]

NOT_HTTP = {
    "pydantic__pydantic-ai/test_text_in_audio_out_turn.yaml": (
        "frames of a websocket, in and out: no request, no status, no headers, no body"
    ),
    "o-stepper__rulvar/anthropic.jsonl": (
        "events already translated into another recorder's own vocabulary: the provider's answer is gone"
    ),
    "CopilotKit__aimock/error-injection.json": "a script of answers written by hand, never recorded",
}
"""Files that are no recordings of HTTP, each with the reason. They yield nothing."""


def folder() -> Path | None:
    """Where the recordings are, or None where there are none."""
    found = Path(os.environ.get("INTERCEPT_REALDATA") or _ROOT.parent / "shared" / "realdata")
    return found if (found / "INDEX.tsv").is_file() else None


def index() -> list[dict[str, str]]:
    """The rows of the folder's index, one a file, by column name. Empty without the folder."""
    found = folder()
    if found is None:
        return []
    with (found / "INDEX.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def recordings() -> list[Recording]:
    """Every recording of HTTP in the folder, in the order of the index. Empty without the folder.

    Raises:
        ValueError: a file is in no shape known here.

    """
    found = folder()
    return [] if found is None else list(_all(found))


@functools.cache
def _all(root: Path) -> tuple[Recording, ...]:
    # Parsing takes seconds, and every test module asks at collection.
    files = [row["path"] for row in index() if row["path"] not in NOT_HTTP]
    return tuple(recording for file in files for recording in _of_file(file, root / file))


def _of_file(file: str, path: Path) -> list[Recording]:
    if file.endswith((".yaml", ".yml")):
        return list(interactions(file, read(path)))
    if file.endswith(".json"):
        return list(interactions(file, json.loads(path.read_bytes())))
    if file.endswith(".chunks.txt"):
        return [event_lines(file, path)]
    if file.endswith(".txt"):
        return [event_stream(file, path)]
    message = f"{file}: no reader for files named like this"
    raise ValueError(message)
