"""What a recording is made from: a stand-in on this machine, or the real providers."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intercept_demo.environment import environment
from intercept_demo.requirements import KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from intercept import Session
    from intercept_demo.steps import Models


@dataclass(frozen=True)
class Source:
    """Providers that are up, and the keys for them; `hits` counts the requests they had, in all or by this session."""

    keys: tuple[str, ...]
    hits: Callable[[Session], int]


@contextmanager
def stand_in(models: Models) -> Generator[Source]:
    """Point the environment, with keys made up for it, at a stand-in that runs until the block ends."""
    from intercept_demo.stand_in import answering

    keys = tuple(f"sk-{maker}-{secrets.token_hex(24)}" for maker in ("proj", "ant"))
    with answering(models) as provider:
        urls = {"OPENAI_BASE_URL": f"{provider.url}/v1", "ANTHROPIC_BASE_URL": provider.url}
        with environment(having={**urls, **dict(zip(KEYS, keys, strict=True))}):
            yield Source(keys, lambda _: provider.hits)


@contextmanager
def real() -> Generator[Source]:
    """Leave the environment as it is."""
    yield Source(tuple(os.environ[name] for name in KEYS), lambda session: sum(played.live for played in session.calls))
