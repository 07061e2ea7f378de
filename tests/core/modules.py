"""Modules of a test's own, and where their functions look for a cassette."""

from __future__ import annotations

import asyncio
import inspect
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import intercept

SAFE = re.compile(r"[A-Za-z0-9._-]+")
OPEN = """
    def where(cassette=None):
        with intercept.use_cassette(cassette, mode="off") as session:
            return session.path
"""


def as_module(file: Path, source: str) -> dict[str, Any]:
    """Run code as the module that lies in this file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(source), encoding="utf-8")
    names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file), "intercept": intercept}
    exec(compile(dedent(source), str(file), "exec"), names)  # noqa: S102  a module of the test's own
    return names


def missing(function: Any, *arguments: Any) -> Path:
    """Run a decorated function until it wants its cassette, which is not there; return where it looked."""
    with pytest.raises(intercept.CassetteError) as caught:
        _finished(function(*arguments))
    return Path(caught.value.where)


def _finished(result: Any) -> None:
    if inspect.isawaitable(result):

        async def awaited() -> None:
            await result

        asyncio.run(awaited())
    elif inspect.isasyncgen(result):

        async def iterated() -> None:
            async for _ in result:
                pass

        asyncio.run(iterated())
    elif inspect.isgenerator(result):
        list(result)
