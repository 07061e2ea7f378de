"""Websockets are not covered: refused by name where nothing may be sent, passed with a warning while recording."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, entered
from tests.conftest import Canary
from tests.core.handmade import header

OPENAI = [caller for caller in CALLERS if caller.sdk == "openai"]
_NEEDED = {"model": "gpt-realtime", "session_id": "sess_1"}


def _ways(resource: Any, path: str = "") -> Iterator[str]:
    """Find every `connect` of the installed SDK, as a path from the client on."""
    kind: Any = resource.__class__
    for name in dir(kind):
        if name == "connect":
            yield path
        elif isinstance(inspect.getattr_static(kind, name), functools.cached_property):
            yield from _ways(getattr(resource, name), f"{path}.{name}".lstrip("."))


def _manager(client: Any, way: str) -> Any:
    resource = functools.reduce(getattr, way.split("."), client)
    asked = inspect.signature(resource.connect).parameters
    given = {name: value for name, value in _NEEDED.items() if name in asked}
    return resource.connect(**given, **({"max_retries": 2} if "max_retries" in asked else {}))


WAYS = sorted(way for way in _ways(openai.OpenAI(api_key="none")) if "with_" not in way)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A cassette without rows."""
    path = tmp_path / "empty.jsonl"
    path.write_bytes(header())
    return path


@pytest.fixture
def greeter() -> Iterator[str]:
    """The address of a server that takes any websocket and says one thing."""

    def greet(connection: ServerConnection) -> None:
        connection.send('{"type": "session.created", "event_id": "e", "session": {}}')
        next(iter(connection), None)  # until the client leaves

    serving: Any = serve(greet, "127.0.0.1", 0)
    with serving as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
    thread.join()


@pytest.mark.parametrize("caller", OPENAI, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_a_websocket_is_refused_by_name_in_replay(way: str, caller: Caller, canary: Canary, empty: Path) -> None:
    """Every `connect` there is: one attempt, no wait, nothing dialled; swallowed, it fails the session at its end."""

    async def scenario(client: Any) -> None:
        with pytest.raises(intercept.NotCovered, match="openai is about to open a websocket, which intercept does not"):
            async with entered(_manager(client, way)):
                pass

    with pytest.raises(intercept.NotVerified), intercept.use_cassette(empty) as session:
        caller.run(scenario, caller.client(canary.url, key=None))

    assert [type(miss) for miss in session.misses] == [intercept.NotCovered]
    assert session.waits == []


@pytest.mark.filterwarnings("ignore:connect.. must be used as a context manager:DeprecationWarning")  # by the SDK
@pytest.mark.parametrize("caller", OPENAI, ids=str)
def test_a_websocket_passes_while_recording_with_one_warning(
    caller: Caller, greeter: str, provider: Provider, cassette: Path
) -> None:
    """Two connections and a plain call: the call is recorded, the rest is told of once."""

    async def hello(client: Any) -> str:
        async with entered(_manager(client, "beta.realtime")) as connection:
            event = connection.recv()
            return str((await event if inspect.isawaitable(event) else event).type)

    with (  # noqa: PT031  what is warned of is told at the session's end
        pytest.warns(intercept.InterceptWarning, match="openai opened a websocket, which is not covered") as warned,
        intercept.use_cassette(cassette, mode="record"),
    ):
        said = [caller.run(hello, caller.client("http://127.0.0.1:9", websocket_base_url=greeter)) for _ in range(2)]
        caller.run(ask, caller.client(provider.url))

    assert said == ["session.created", "session.created"]
    assert [warning.category for warning in warned].count(intercept.InterceptWarning) == 1
    assert len(cassette.read_bytes().splitlines()) == 2


def test_a_websocket_of_the_applications_own_is_none_of_ours(greeter: str, empty: Path) -> None:
    """The same library, asked by other code than the SDK's."""
    with intercept.use_cassette(empty, verify=False), connect(greeter) as connection:
        said = connection.recv()

    assert "session.created" in str(said)
