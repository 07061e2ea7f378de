"""Imported once by the process that all children are forked from: what SDKs, and we, import with their first call."""

from __future__ import annotations

import tempfile
from pathlib import Path

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask

with tempfile.TemporaryDirectory() as folder, Provider() as provider:
    for mode in ("record", "extend"):
        with intercept.use_cassette(Path(folder, "warm.jsonl"), mode=mode):
            for caller in CALLERS:
                caller.run(ask, caller.client(provider.url))
