"""What differs between versions of the SDKs: the suite runs on the oldest and on the newest that are supported."""

from __future__ import annotations

import importlib.metadata
from typing import Any, NoReturn

import pytest


def skip_as_it_lacks(client: Any, what: str) -> NoReturn:
    """Skip what a version of an SDK cannot do at all: nothing of ours could be tried there; other versions have it."""
    sdk = (client if isinstance(client, type) else type(client)).__module__.partition(".")[0]
    pytest.skip(f"{sdk} {importlib.metadata.version(sdk)} has no {what}: nothing to record; other versions are tested")
