"""Decorated generators are talked to as without us, and their sessions do not mix."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest

from intercept import current_session, use_cassette
from tests.core.handmade import header
from tests.core.running import session_here


def _talking(log: list[object]) -> Generator[object, object, object]:
    """Answer what is sent, and what is thrown; note all."""
    log.append("begins")
    answer: object = "first"
    try:
        while True:
            try:
                got = yield answer
            except KeyError as error:
                log.append(error)
                answer = f"caught {error}"
            else:
                log.append(got)
                if got == "return":
                    return "returned"
                if got == "raise":
                    raise LookupError("raised")
                answer = f"got {got}"
    finally:
        log.append("cleans up")


async def _talking_later(log: list[object]) -> AsyncGenerator[object, object]:
    """The same, later."""
    log.append("begins")
    answer: object = "first"
    try:
        while True:
            try:
                got = yield answer
            except KeyError as error:
                log.append(error)
                answer = f"caught {error}"
            else:
                log.append(got)
                await asyncio.sleep(0)
                if got == "return":
                    return
                if got == "raise":
                    raise LookupError("raised")
                answer = f"got {got}"
    finally:
        await asyncio.sleep(0)
        log.append("cleans up")


_KEY_ERROR, _VALUE_ERROR = KeyError("k"), ValueError("v")
_TALKS: dict[str, list[tuple[str, Any]]] = {
    "nothing": [],
    "closed before it begins": [("close", None), ("next", None)],
    "thrown into before it begins": [("throw", _KEY_ERROR), ("next", None)],
    "sent": [("next", None), ("send", "a"), ("send", None), ("send", ["b"])],
    "returned": [("next", None), ("send", "return"), ("next", None), ("send", "x")],
    "raised": [("next", None), ("send", "raise"), ("next", None)],
    "caught": [("next", None), ("throw", _KEY_ERROR), ("send", "a"), ("throw", _KEY_ERROR), ("close", None)],
    "not caught": [("next", None), ("throw", _VALUE_ERROR), ("next", None)],
    "closed": [("next", None), ("send", "a"), ("close", None), ("close", None), ("next", None)],
    "told to exit": [("next", None), ("throw", GeneratorExit()), ("next", None)],
    "thrown a StopIteration": [("next", None), ("throw", StopIteration()), ("next", None)],
    "thrown a StopAsyncIteration": [("next", None), ("throw", StopAsyncIteration()), ("next", None)],
    "interrupted": [("next", None), ("throw", KeyboardInterrupt()), ("next", None)],
}


def _talk(generator: Any, steps: list[tuple[str, Any]]) -> list[object]:
    seen: list[object] = []
    for name, value in steps:
        try:
            if name == "next":
                seen.append(next(generator))
            elif name == "close":
                seen.append(generator.close())
            else:
                seen.append(getattr(generator, name)(value))
        except BaseException as error:  # noqa: BLE001  whatever it is, it is compared
            seen.append((type(error), str(error)))
    generator.close()
    return seen


async def _talk_later(generator: Any, steps: list[tuple[str, Any]]) -> list[object]:
    names = {"next": "__anext__", "send": "asend", "throw": "athrow", "close": "aclose"}
    seen: list[object] = []
    for name, value in steps:
        arguments = () if name in {"next", "close"} else (value,)
        try:
            seen.append(await getattr(generator, names[name])(*arguments))
        except BaseException as error:  # noqa: BLE001  whatever it is, it is compared
            seen.append((type(error), str(error)))
    await generator.aclose()
    return seen


@pytest.mark.parametrize("steps", _TALKS.values(), ids=_TALKS.keys())
def test_a_generator_is_talked_to_as_without_us(steps: list[tuple[str, Any]], empty: Path) -> None:
    """send(), throw() and close() reach it, and what it yields, returns and raises comes back."""
    plain: list[object] = []
    decorated: list[object] = []

    without = _talk(_talking(plain), steps)
    with_us = _talk(use_cassette(empty)(_talking)(decorated), steps)

    assert (with_us, decorated) == (without, plain)
    assert current_session() is None


@pytest.mark.parametrize("steps", _TALKS.values(), ids=_TALKS.keys())
def test_an_async_generator_is_talked_to_as_without_us(steps: list[tuple[str, Any]], empty: Path) -> None:
    """asend(), athrow() and aclose() likewise."""
    plain: list[object] = []
    decorated: list[object] = []

    without = asyncio.run(_talk_later(_talking_later(plain), steps))
    with_us = asyncio.run(_talk_later(use_cassette(empty)(_talking_later)(decorated), steps))

    assert (with_us, decorated) == (without, plain)
    assert current_session() is None


def test_two_generators_in_turns_keep_their_sessions_apart(tmp_path: Path) -> None:
    """Whichever is left first."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_bytes(header())

    def steps() -> Generator[Path | None]:
        yield session_here().path
        yield None

    one, two = use_cassette(paths[0])(steps)(), use_cassette(paths[1])(steps)()
    firsts = [next(one), next(two)]
    one.close()
    inside = session_here().path
    two.close()

    assert firsts == paths
    assert inside == paths[1]
    assert current_session() is None
