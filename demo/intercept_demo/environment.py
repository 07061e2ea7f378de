"""The environment of each run, put back afterwards."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

CREDENTIALS: Final = re.compile("OPENAI_(API|ADMIN)_KEY|ANTHROPIC_(API_KEY|AUTH_TOKEN)")

MODE: Final = re.compile("INTERCEPT_MODE")
"""It would win over the modes of the two runs."""

OUTSIDE: Final = re.compile(f"{MODE.pattern}|OPENAI_.*|ANTHROPIC_.*|(HTTP|HTTPS|ALL)_PROXY", re.IGNORECASE)
"""What is not for a stand-in either: settings of the user's account, and proxies, which may not reach 127.0.0.1."""


@contextmanager
def environment(*, without: re.Pattern[str] | None = None, having: Mapping[str, str] | None = None) -> Generator[None]:
    """Take variables away and add some while the block runs; then all are as they were."""
    before = dict(os.environ)
    for name in before:
        if without is not None and without.fullmatch(name):
            del os.environ[name]
    os.environ.update(having or {})
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)
