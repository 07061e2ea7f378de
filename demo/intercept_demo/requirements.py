"""What the demo needs beside intercept itself, and what to do where it is missing."""

from __future__ import annotations

import importlib.util
import os
from typing import Final

from intercept import ConfigError

SDKS: Final = ("openai", "anthropic")
SERVER: Final = ("starlette", "uvicorn")
KEYS: Final = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


def check(*, live: bool) -> None:
    """Raise `ConfigError` that names every missing package; for the real providers every missing key, and no server."""
    packages = [name for name in (SDKS if live else SDKS + SERVER) if importlib.util.find_spec(name) is None]
    if packages:
        raise ConfigError(
            f"the demo is an agent on both SDKs, and a server that stands in for the providers; "
            f"not installed: {', '.join(packages)}.\n\n"
            '  Install it:  pip install "sdk-intercept[demo]"'
        )
    keys = [name for name in KEYS if live and not os.environ.get(name)]
    if keys:
        raise ConfigError(
            f"--live asks the real providers, with the keys in the environment; not set: {', '.join(keys)}.\n\n"
            "  Set what is missing, or leave --live out: then the demo needs no key and no network."
        )
