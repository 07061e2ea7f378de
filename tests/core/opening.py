"""Opening a file as a cassette, to replay it and to record it: what is said of it, and that it stays as it is."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

import intercept
from tests.core.handmade import row

MODES: list[Literal["replay", "record"]] = ["replay", "record"]
ROW = row()
every_mode = pytest.mark.parametrize("mode", [*MODES, "update", "extend"])


def opened(path: Path, mode: str) -> list[str]:
    """Go through the front door and out again; return what was warned of, but for a recording without calls."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with intercept.use_cassette(path, mode=mode):
            pass
    assert {warning.category for warning in caught} <= {intercept.InterceptWarning}
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if "no SDK call was seen" not in text]


@contextmanager
def untouched(path: Path) -> Generator[None]:
    """Fail if the file, or anything beside it, is another afterwards."""
    before = {found: found.read_bytes() for found in path.parent.iterdir() if found.is_file()}
    yield
    assert {found: found.read_bytes() for found in path.parent.iterdir() if found.is_file()} == before


def refused(path: Path, mode: str) -> intercept.CassetteError:
    """Return the error by which a file is refused; the file stays as it is."""
    with untouched(path), pytest.raises(intercept.CassetteError) as caught:
        opened(path, mode)
    assert str(path) in str(caught.value)
    return caught.value
