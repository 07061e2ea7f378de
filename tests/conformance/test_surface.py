"""A walk over every method of every resource of both SDKs: recorded, replayed, refused; nothing ever gets out."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

import intercept
from tests.conformance.callers import CALLERS, Caller, ask, entered
from tests.conformance.surface.agreeable import Agreeable
from tests.conformance.surface.discovery import resource_classes, resources
from tests.conformance.surface.trap import closed_doors
from tests.conformance.surface.walk import Walk, carried
from tests.conftest import Canary
from tests.core.handmade import header

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # deprecated methods are methods
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),  # openai 1.109 uploads and forgets
]


def _walker(caller: Caller) -> Any:
    """Make a parameter. A walk is recorded once by each process, so the tests of one caller stay together."""
    marks = [pytest.mark.xdist_group(str(caller))]
    if str(caller) in ("openai-async", "anthropic-sync"):  # the others walk both ways of sending already
        marks.append(pytest.mark.slow)
    return pytest.param(caller, id=str(caller), marks=marks)


WALKERS = [_walker(caller) for caller in CALLERS]


@pytest.fixture(scope="module", autouse=True)
def _no_collecting() -> Iterator[None]:
    """All the types of both SDKs are a large heap: looking through it would take a fifth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Caller], Walk]]:
    """Each SDK's walk, recorded by the first test that asks for it."""
    walks: dict[Caller, Walk] = {}
    with Agreeable() as server:

        def walk_of(caller: Caller) -> Walk:
            if caller not in walks:
                walks[caller] = Walk(caller, server.url, tmp_path_factory.mktemp(str(caller)))
                with intercept.use_cassette(walks[caller].cassette, mode="record"):
                    walks[caller].live(server.url, lambda: server.hits)
            return walks[caller]

        yield walk_of


@pytest.fixture
def walk(request: pytest.FixtureRequest, recorded: Callable[[Caller], Walk]) -> Walk:
    """The recorded walk of the caller under test."""
    return recorded(request.getfixturevalue("caller"))


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A cassette without a row."""
    path = tmp_path / "empty.jsonl"
    path.write_bytes(header())
    return path


@pytest.mark.parametrize("caller", WALKERS)
def test_no_resource_is_left_out(caller: Caller, canary: Canary) -> None:
    """Every resource class that the SDK defines is reached from its client, itself or as a base of another."""
    client = caller.client(canary.url)
    reached = {base for resource in resources(client).values() for base in type(resource).__mro__}

    assert resource_classes(client) - reached == set()


@pytest.mark.parametrize("caller", WALKERS)
def test_every_method_is_answered_or_local_or_refused(
    caller: Caller, walk: Walk, record_testsuite_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """None is left that the walk cannot drive; nearly all ask the provider, and what is streamed gives something."""
    kinds = Counter(step.kind for step in walk.steps.values())
    total = f"{len(walk.methods)} ways to call it: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    with capsys.disabled():
        print(f"\n{caller}: {total}")  # noqa: T201  what CI shows
    record_testsuite_property(str(caller), total)

    assert {str(method): walk.steps[method].error for method in walk.of_kind("undriven")} == {}
    assert kinds["answered"] + kinds["local"] + kinds["refused"] == len(walk.methods)
    assert kinds["answered"] >= 0.9 * len(walk.methods)
    assert [str(method) for method, step in walk.steps.items() if method.streamed and step.given[1] == []] == []


@pytest.mark.parametrize("caller", WALKERS)
def test_every_method_replays_what_was_recorded(caller: Caller, walk: Walk, canary: Canary) -> None:
    """Equal in type and fields, after as many requests; without a key, a look-up or a connection."""
    with closed_doors() as tried, intercept.use_cassette(walk.cassette) as session:
        replayed = walk.again(canary.url, lambda: len(session.calls))

    differing = {
        str(method): (walk.steps[method].result, step.result)
        for method, step in replayed.items()
        if step.result != walk.steps[method].result
    }
    assert differing == {}
    assert tried == []
    assert replayed.keys() == walk.steps.keys()


@pytest.mark.parametrize("caller", WALKERS)
def test_every_method_that_was_not_recorded_misses(caller: Caller, walk: Walk, canary: Canary, empty: Path) -> None:
    """At the call, when entered or when first read; after one attempt, with nothing sent. What is local stays so."""
    with closed_doors() as tried, intercept.use_cassette(empty, verify=False) as session:
        steps = walk.again(canary.url, lambda: len(session.misses))

    missed = {
        method: step
        for method, step in steps.items()
        if any(isinstance(error, intercept.NeverRecorded) for error in carried(step.error))
    }
    # Helpers that make several calls may put an error of their own around whatever ends one.
    wrapped = {
        str(method): step.error for method, step in missed.items() if type(step.error) is not intercept.NeverRecorded
    }
    local = {method: step.result for method, step in steps.items() if method not in missed}
    assert {*missed} == {*walk.of_kind("answered")}
    assert {step.requests for step in missed.values()} == {1}
    assert len(wrapped) <= 0.01 * len(missed), wrapped
    assert not any(isinstance(error, (openai.APIError, anthropic.APIError)) for error in wrapped.values()), wrapped
    assert local == {method: walk.steps[method].result for method in local}
    assert tried == []


def _in_a_thread(run: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def _under_uvloop(run: Callable[[], Any]) -> Any:
    import uvloop

    def ran(work: Coroutine[Any, Any, Any]) -> Any:
        loop = uvloop.new_event_loop()
        try:
            return loop.run_until_complete(work)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "run", ran)
        return run()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*was refused, as the network is blocked:intercept.InterceptWarning")
@pytest.mark.parametrize("caller", WALKERS)
@pytest.mark.parametrize("place", [_in_a_thread, _under_uvloop], ids=["thread", "uvloop"])
def test_every_method_misses_elsewhere_too_and_the_session_fails_for_it(
    caller: Caller, place: Callable[[Callable[[], Any]], Any], *, walk: Walk, canary: Canary, empty: Path
) -> None:
    """In a pool's thread, under another loop; the walk swallows every error, as applications do."""
    answered = walk.of_kind("answered")

    with pytest.raises(intercept.NotVerified) as failed, closed_doors() as tried:  # noqa: SIM117
        with intercept.use_cassette(empty) as session:
            place(lambda: walk.again(canary.url, lambda: len(session.misses), only=answered))

    assert len(failed.value.misses) >= len(answered)
    assert tried == []


@pytest.mark.slow
@pytest.mark.parametrize("view", ["with_raw_response", "with_streaming_response"])
@pytest.mark.parametrize("caller", WALKERS)
def test_every_view_of_a_method_that_was_not_recorded_misses(
    caller: Caller, walk: Walk, view: str, canary: Canary, empty: Path
) -> None:
    """The raw and the streamed response: the same error, the same silence."""
    answered = walk.of_kind("answered")
    with closed_doors() as tried, intercept.use_cassette(empty, verify=False) as session:
        steps = walk.again(canary.url, lambda: len(session.misses), only=answered, view=view)

    assert {
        str(method): step.error for method, step in steps.items() if type(step.error) is not intercept.NeverRecorded
    } == {}
    assert {step.requests for step in steps.values()} == {1}
    assert len(steps) >= 0.8 * len(answered)
    assert tried == []


@pytest.mark.parametrize("caller", WALKERS)
def test_every_websocket_is_refused(caller: Caller, walk: Walk, canary: Canary, empty: Path) -> None:
    """By name, when its manager is entered, before anything is looked up or dialled."""
    sockets = walk.of_kind("refused")
    if not sockets:
        pytest.skip("this SDK has no websockets")
    errors: dict[str, Exception | None] = dict.fromkeys(map(str, sockets))

    async def scenario(client: Any) -> None:
        for method in sockets:
            try:
                async with entered(method.of(client)(**walk.arguments(method))):
                    pass
            except Exception as error:  # noqa: BLE001  judged below
                errors[str(method)] = error

    with closed_doors() as tried, intercept.use_cassette(empty, verify=False):
        caller.run(scenario, caller.client(canary.url, key=None))

    assert {name: error for name, error in errors.items() if not isinstance(error, intercept.NotCovered)} == {}
    assert tried == []


@pytest.mark.parametrize("caller", WALKERS)
def test_a_live_call_finds_the_doors_closed(caller: Caller, canary: Canary) -> None:
    """The trap itself: without a session, a call is noticed and gets nowhere."""
    with closed_doors() as tried, pytest.raises((openai.APIConnectionError, anthropic.APIConnectionError)):
        caller.run(ask, caller.client(canary.url, max_retries=0))

    assert tried
