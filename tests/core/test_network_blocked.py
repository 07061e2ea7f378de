"""While a session that blocks the network replays, nothing leaves this machine, whoever tries."""

from __future__ import annotations

import json
import multiprocessing
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvloop

import intercept
from intercept.errors import ConfigError
from intercept.guard import policy
from intercept.guard.hook import GUARD, VARIABLE
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, ask, said
from tests.core.probes import ELSEWHERE, NAME, in_child, lookups, met, tried, ways

pytestmark = pytest.mark.filterwarnings("ignore:.*was refused, as the network is blocked:intercept.InterceptWarning")

_ROOT = Path(__file__).parents[2]
_PROBE = (
    "import json, sys; sys.path.insert(0, {root!r})\n"
    "from tests.core.probes import tried\n"
    "print(json.dumps(tried({host!r}, 9, {name!r})))"
)


@pytest.fixture
def recorded(provider: Provider, cassette: Path) -> Path:
    """A cassette with one answer in it."""
    with intercept.use_cassette(cassette, mode="record"):
        CALLERS[0].run(_scenario, CALLERS[0].client(provider.url))
    return cassette


def _always(path: Path) -> Any:
    def root(_: object) -> Path:
        return path

    return root


async def _scenario(client: Any) -> str:
    return said(await ask(client))


def test_every_way_out_is_refused(recorded: Path) -> None:
    """Connections, datagrams, look-ups; by sockets, asyncio, uvloop and urllib. The SDK is answered all the same."""
    with intercept.use_cassette(recorded):
        found = tried(ELSEWHERE, 9, NAME)
        answer = CALLERS[0].run(_scenario, CALLERS[0].client("http://127.0.0.1:9"))

    assert {way: what for way, what in found.items() if what != "NetworkBlocked"} == {}
    assert len(found) == len(ways("", 0)) + len(lookups(""))
    assert answer


def test_this_machine_stays_open(recorded: Path, provider: Provider, tmp_path: Path) -> None:
    """Loopback by name and address, and sockets that are files."""
    host, port = "127.0.0.1", int(provider.url.rpartition(":")[2])
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    listener.listen()

    def to_file() -> None:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.connect(str(tmp_path / "s"))

    with listener, intercept.use_cassette(recorded):
        found = {way: met(use) for way, use in ways(host, port).items() if "urllib" not in way}
        found |= {way: met(use) for way, use in lookups("localhost").items() if "by name" not in way}
        found["file"] = met(to_file)

    assert {way: what for way, what in found.items() if what != "open"} == {}


@pytest.mark.parametrize("allowed", [ELSEWHERE, "192.0.2.0/24", "::/0, 192.0.2.1"])
def test_allowed_hosts_stay_open(allowed: str, recorded: Path) -> None:
    """Addresses and networks; a datagram to nobody goes, a connection times out."""
    with intercept.use_cassette(recorded, allow_hosts=allowed.split(", ")):
        sent, connected = (met(ways(ELSEWHERE, 9)[way]) for way in ("sendto", "connect"))
        other = met(ways("198.51.100.1", 9)["sendto"])

    assert "NetworkBlocked" not in (sent, connected)
    assert other == "NetworkBlocked"


def test_an_allowed_name_opens_its_addresses(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection tells the address alone."""
    real = socket.getaddrinfo

    def resolver(host: Any, *more: Any, **named: Any) -> Any:
        return real(ELSEWHERE if host == NAME else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    with intercept.use_cassette(recorded, allow_hosts=[NAME]):
        assert met(ways(ELSEWHERE, 9)["sendto"]) != "NetworkBlocked"
        assert met(ways("198.51.100.1", 9)["sendto"]) == "NetworkBlocked"


@pytest.mark.parametrize("mode", ["record", "extend", "off"])
def test_sessions_that_go_live_block_nothing(mode: str, recorded: Path, provider: Provider) -> None:
    """Also where it is asked for, and within a replay; after the session everything is as before."""
    with intercept.use_cassette(recorded), intercept.use_cassette(recorded, mode=mode, block_network=True):
        inside = met(ways(ELSEWHERE, 9)["sendto"])
        CALLERS[0].run(_scenario, CALLERS[0].client(provider.url))

    assert inside != "NetworkBlocked"
    assert met(ways(ELSEWHERE, 9)["sendto"]) != "NetworkBlocked"


def test_threads_and_pools_are_refused_too(recorded: Path) -> None:
    """Whenever they were made: the wire is blocked for the process, but for sessions that go live."""
    found: list[str] = []

    def probe() -> None:
        found.append(met(ways(ELSEWHERE, 9)["sendto"]))

    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with intercept.use_cassette(recorded):
            thread = threading.Thread(target=probe)
            thread.start()
            thread.join()
            pool.submit(probe).result()

    assert found == ["NetworkBlocked"] * 2


@pytest.mark.parametrize("env", ["inherited", "given"])
def test_python_processes_that_are_started_meanwhile_block_too(env: str, recorded: Path) -> None:
    """By a line that every interpreter runs at its start, and a variable that tells it to."""
    given = {name: value for name, value in os.environ.items() if name != VARIABLE}
    code = _PROBE.format(root=str(_ROOT), host=ELSEWHERE, name=NAME)

    with intercept.use_cassette(recorded, allow_hosts=["198.51.100.1"]):
        found = in_child(env=given if env == "given" else None, code=code)
    free = in_child(env=given, code="import os, json; print(json.dumps(os.environ.get('INTERCEPT_BLOCK_NETWORK')))")

    assert {way: what for way, what in found.items() if what != "NetworkBlocked"} == {}
    assert free is None
    assert VARIABLE not in os.environ


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_processes_of_multiprocessing_block_too(method: str, recorded: Path) -> None:
    """Forked ones have the hook, spawned ones the variable."""
    context: Any = multiprocessing.get_context(method)
    with intercept.use_cassette(recorded), context.Pool(1) as pool:
        found = pool.apply(tried, (ELSEWHERE, 9, NAME))

    assert {way: what for way, what in found.items() if what != "NetworkBlocked"} == {}


def test_what_was_refused_is_told_once(recorded: Path) -> None:
    """As a warning: an application that swallows the error, as telemetry does, has not failed for it."""
    told = pytest.warns(intercept.InterceptWarning, match=r"192\.0\.2\.1:9 was refused")
    with told as warnings, intercept.use_cassette(recorded):
        for _ in range(3):
            met(ways(ELSEWHERE, 9)["connect"])

    assert len([warning for warning in warnings if "refused" in str(warning.message)]) == 1


def test_the_error_says_what_and_where_and_the_way_out(recorded: Path) -> None:
    """And nothing of what was to be sent."""
    blocked = pytest.raises(intercept.NetworkBlocked)
    with intercept.use_cassette(recorded) as session, blocked as refused, socket.socket() as opened:
        opened.connect((ELSEWHERE, 443))

    error = refused.value
    assert (error.event, error.address, error.session) == ("socket.connect", "192.0.2.1:443", session.name)
    assert 'allow_hosts=["192.0.2.1"]' in str(error)


@pytest.mark.parametrize(
    ("table", "blocked"),
    [("block_network = false", False), ('allow_hosts = ["192.0.2.0/24"]', False), ("", True)],
)
def test_the_project_may_say_otherwise(
    table: str, blocked: bool, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In `[tool.intercept]`; code wins over it, the command line over both."""
    monkeypatch.setattr("intercept.runs.current", None)
    monkeypatch.setattr("intercept.paths.project_root", _always(tmp_path))
    (tmp_path / "pyproject.toml").write_text(f"[tool.intercept]\n{table}\n")

    with intercept.use_cassette(recorded):
        found = met(ways(ELSEWHERE, 9)["sendto"])

    assert (found == "NetworkBlocked") is blocked


@pytest.mark.parametrize("table", ['block_network = "yes"', 'allow_hosts = "a"', "allow_hosts = [1]"])
def test_what_is_no_setting_is_refused(
    table: str, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed, with the file that says so."""
    monkeypatch.setattr("intercept.paths.project_root", _always(tmp_path))
    (tmp_path / "pyproject.toml").write_text(f"[tool.intercept]\n{table}\n")

    with pytest.raises(ConfigError, match=r"pyproject\.toml"), intercept.use_cassette(recorded):
        pass
    assert not GUARD.active


@pytest.mark.parametrize(
    ("override", "setting", "blocked"), [(True, False, True), (False, True, False), (None, None, False)]
)
def test_the_command_line_wins(
    override: bool | None, setting: bool | None, blocked: bool, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without pytest nobody blocks who is not asked to."""
    monkeypatch.setattr(policy, "override", override)
    monkeypatch.setattr(policy, "by_default", False)

    with intercept.use_cassette(recorded, block_network=setting):
        assert (met(ways(ELSEWHERE, 9)["sendto"]) == "NetworkBlocked") is blocked


def test_the_loop_of_uvloop_is_as_it_was(recorded: Path) -> None:
    """Its class has the very attributes that it had before."""
    before = dict(vars(uvloop.Loop))
    with intercept.use_cassette(recorded):
        during = dict(vars(uvloop.Loop))

    assert dict(vars(uvloop.Loop)) == before
    assert json.dumps(sorted(set(during) - set(before))) == json.dumps(
        ["create_connection", "create_datagram_endpoint", "getaddrinfo", "getnameinfo", "sock_connect", "sock_sendto"]
    )
