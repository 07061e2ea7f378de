"""The public signatures, as a type checker sees them. Nobody runs this file; mypy and pyright read it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from typing_extensions import assert_type

import intercept


def manager() -> None:
    with intercept.use_cassette("a.jsonl") as session:
        assert_type(session, intercept.Session)
        assert_type(session.calls, list[intercept.Played])
        assert_type(session.misses, list[intercept.Miss])
        assert_type(session.waits, list[float])
        assert_type(session.remaining, tuple[str, ...])
        session.assert_all_played()
        assert_type(session.usage, intercept.Usage)
        assert_type(session.caps("gpt-4o"), intercept.Caps | None)
        assert_type(session.calls[0].call, intercept.Call)
        assert_type(session.path, Path | None)
    assert_type(intercept.current_session(), intercept.Session | None)


async def async_manager() -> None:
    async with intercept.use_cassette(Path("a.jsonl"), mode="record", adapters=["openai"], verify=False) as session:
        assert_type(session, intercept.Session)


@intercept.use_cassette
def plain(number: int, *, text: str = "") -> float:
    return number + len(text)


@intercept.use_cassette("a.jsonl", keep_headers=["openai-version"], keep_on_error=True)
async def coroutine(number: int) -> float:
    return number


@intercept.use_cassette(failures=True, caps={"ours": {"tools": True}, "mine": intercept.Caps(context_window=9)})
def generator() -> Iterator[int]:
    yield 1


@intercept.use_cassette
async def async_generator() -> AsyncIterator[int]:
    yield 1


@intercept.use_cassette("a.jsonl")
class TestClass:
    def test_it(self) -> int:
        return 1


async def decorated() -> None:
    assert_type(plain(1, text="x"), float)
    assert_type(await coroutine(1), float)
    assert_type(generator(), Iterator[int])
    assert_type(async_generator(), AsyncIterator[int])
    assert_type(TestClass().test_it(), int)
    plain("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def facts(miss: intercept.Miss, error: intercept.CassetteError) -> None:
    assert_type(miss.recorded, int)
    assert_type(miss.operation, str)
    assert_type(error.where, str)
    intercept.use_cassette("a.jsonl", mod="x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
