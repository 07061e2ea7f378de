"""Fields of the header and of rows: which must be there, what they may hold, and an error that names the one amiss."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from intercept.cassette.lines import read
from tests.core.handmade import ABSENT, header, row
from tests.core.opening import ROW, every_mode, opened, refused

_HEADERS: list[tuple[str, Any]] = [
    ("kind", ABSENT),
    ("kind", "intercept-cassettes"),
    ("kind", 1),
    ("kind", None),
    ("v", ABSENT),
    ("v", 0),
    ("v", 2),
    ("v", "1"),
    ("v", True),
    ("v", None),
    ("v", 1.5),
    ("v", 2**70),
    ("hash_version", ABSENT),
    ("hash_version", 0),
    ("hash_version", 2),
    ("hash_version", "1"),
    ("hash_version", True),
    ("sdks", ["openai"]),
    ("sdks", {"openai": 1}),
    ("redaction", 1),
]


def _shown(value: object) -> str:
    return "absent" if value is ABSENT else repr(value)


@every_mode
@pytest.mark.parametrize(("field", "value"), _HEADERS, ids=_shown)
def test_a_header_of_another_version_or_shape_is_refused(field: str, value: Any, mode: str, path: Path) -> None:
    """The error names the field; a newer cassette is not overwritten by an older program."""
    path.write_bytes(header(**{field: value}) + ROW)

    error = refused(path, mode)

    assert error.where == f"{path}:1"
    assert re.search(rf"\b{field}\b", error.reason)


@pytest.mark.parametrize(("field", "value"), [("v", 2), ("v", 0), ("hash_version", 2), ("hash_version", 0)])
def test_another_version_says_which_and_what_to_do(field: str, value: int, path: Path) -> None:
    """Both numbers, and the way out."""
    path.write_bytes(header(**{field: value}))

    assert re.search(rf"version {value}\b.* version 1\b.*install a matching.*record", refused(path, "replay").reason)


_ROWS: list[tuple[str, Any]] = [
    *((field, ABSENT) for field in ("adapter", "request_hash", "request", "status", "headers", "events", "end")),
    *((field, None) for field in ("adapter", "provider", "operation", "request_hash", "status", "headers", "end")),
    ("adapter", 5),
    ("provider", 5),
    ("operation", ["POST"]),
    ("model", 5),
    ("occurrence", -1),
    ("occurrence", 1.5),
    ("occurrence", "0"),
    ("occurrence", True),
    ("occurrence", 2**53),
    ("request_hash", 0),
    ("request_hash", "0" * 63),
    ("request_hash", "A" * 64),
    ("status", "200"),
    ("status", 99),
    ("status", 600),
    ("status", 200.5),
    ("status", True),
    ("headers", {"content-type": "application/json"}),
    ("headers", [["content-type"]]),
    ("headers", [["content-type", 1]]),
    ("headers", [["a", "b", "c"]]),
    ("headers", ["content-type"]),
    ("end", "ended"),
    ("end", 1),
    ("failure", 5),
    ("usage", 5),
    ("usage", {"input": "1"}),
    ("usage", {"input": 1.5}),
    ("usage_semantics", 5),
    ("kind", "comment"),
    ("kind", 5),
]


@every_mode
@pytest.mark.parametrize(("field", "value"), _ROWS, ids=_shown)
def test_a_row_with_a_field_amiss_is_refused(field: str, value: Any, mode: str, path: Path) -> None:
    """Whichever row it is in; the error names line and field."""
    path.write_bytes(header() + ROW + row("b", occurrence=1) + row("c", **{"occurrence": 2, field: value}))

    error = refused(path, mode)

    assert error.where == f"{path}:4"
    assert re.search(rf"\b{field}\b", error.reason)


@pytest.mark.parametrize(
    "changes",
    [
        {"provider": ABSENT, "operation": ABSENT, "model": ABSENT, "occurrence": ABSENT},
        {"caps": ABSENT, "usage": ABSENT, "usage_semantics": ABSENT},
        {"model": None, "occurrence": None, "usage": None, "usage_semantics": None},
        {"usage": {}},
        {"kind": "exchange"},
        {"timing_ms": [1, 2], "mood": {"good": True}},
        {"usage": {"input": 1, "thinking": 5}},
        {"occurrence": 2**53 - 1},
        {"caps": {"context": 128_000}},
    ],
    ids=repr,
)
@every_mode
def test_what_need_not_be_there_or_is_not_known_yet_is_fine(changes: dict[str, Any], mode: str, path: Path) -> None:
    """Readers keep to what they know."""
    path.write_bytes(header(comment="by hand", sdks=ABSENT, redaction=ABSENT) + row(**changes))

    assert opened(path, mode) == []
    assert len(read(path)) == 1
