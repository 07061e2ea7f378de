"""Wrappers come and go with sessions; every class is left as it was, whatever happens."""

from __future__ import annotations

import asyncio
import importlib
import sys
import threading
import types
from pathlib import Path
from typing import Any, cast

import openai
import pytest
import wrapt

import intercept
from intercept.loopback import Provider
from intercept.patching import Patches
from intercept.spi import PatchPoint
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.conftest import shipped

_CLIENT: Any = openai._base_client.SyncAPIClient


@pytest.fixture
def played(provider: Provider, tmp_path: Path) -> Path:
    """A cassette with two answers to one question, by each SDK's synchronous client."""
    path = tmp_path / "played.jsonl"
    with intercept.use_cassette(path, mode="record"):
        for caller in CALLERS[::2]:
            caller.run(_twice, caller.client(provider.url))
    return path


async def _twice(client: Any) -> Any:
    return [await ask(client), await ask(client)]


def test_active_patches_are_one_deep_however_often_activated(played: Path) -> None:
    """Fifty sessions one after another, and three nested, leave one wrapper while active and none after."""
    before = shipped()
    for _ in range(50):
        with intercept.use_cassette(played):
            pass
    with intercept.use_cassette(played), intercept.use_cassette(played), intercept.use_cassette(played):
        wrapper: Any = shipped()[_CLIENT]["request"]
        assert isinstance(wrapper, wrapt.FunctionWrapper)
        assert isinstance(cast("Any", wrapper).__wrapped__, types.FunctionType)

    assert shipped() == before


@pytest.mark.parametrize(
    "leaving",
    [ValueError("no"), KeyboardInterrupt(), SystemExit(0), SystemExit(3), GeneratorExit(), asyncio.CancelledError()],
)
def test_every_way_of_leaving_restores(leaving: BaseException, played: Path) -> None:
    """The exception comes out as it is, and the classes are as before."""
    before = shipped()
    with pytest.raises(type(leaving)) as caught, intercept.use_cassette(played):
        raise leaving

    assert caught.value is leaving
    assert shipped() == before


def test_a_failure_at_any_step_of_setting_up_restores(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever wrapper cannot be made: its error comes out, nothing stays, and the next session works."""
    before = shipped()
    made = wrapt.FunctionWrapper
    step = 0
    while True:
        step += 1
        countdown = iter(range(step, -1, -1))

        def failing(*args: Any, countdown: Any = countdown, **kwargs: Any) -> Any:
            if next(countdown) == 0:
                raise ZeroDivisionError
            return made(*args, **kwargs)

        monkeypatch.setattr(wrapt, "FunctionWrapper", failing)
        try:
            with intercept.use_cassette(played):
                pass
        except ZeroDivisionError:
            assert shipped() == before
        else:
            break
        finally:
            monkeypatch.setattr(wrapt, "FunctionWrapper", made)
    assert step > 10
    with intercept.use_cassette(played) as session:
        CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
    assert len(session.calls) == 1


def test_a_failure_while_saving_restores(provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system refuses at the very end."""
    before = shipped()

    def refuse(_self: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    def recording() -> None:
        with intercept.use_cassette(cassette, mode="record"):
            CALLERS[0].run(ask, CALLERS[0].client(provider.url))
            monkeypatch.setattr(Path, "replace", refuse)

    with pytest.raises(intercept.CassetteError, match="could not be written"):
        recording()

    assert shipped() == before


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_nested_sessions_the_inner_wins_and_the_outer_resumes(
    caller: Caller, provider: Provider, played: Path, tmp_path: Path
) -> None:
    """Each session counts its own calls; an `off` session inside lets its calls go live."""
    client = caller.client(provider.url)
    inner_path = tmp_path / "inner.jsonl"

    async def scenario(client: Any) -> list[str]:
        with intercept.use_cassette(inner_path, mode="record"):
            await ask(client)
        got: list[str] = []
        with intercept.use_cassette(played) as outer:
            got.append(said(await ask(client)))
            with intercept.use_cassette(inner_path) as inner:
                got.append(said(await ask(client)))
            with intercept.use_cassette(inner_path, mode="off"):
                got.append(said(await ask(client)))
            with pytest.raises(ZeroDivisionError), intercept.use_cassette(inner_path):
                raise ZeroDivisionError
            got.append(said(await ask(client)))
        assert (len(outer.calls), len(inner.calls)) == (2, 1)
        return got

    first = 1 if caller.sdk == "openai" else 3
    assert caller.run(scenario, client) == [f"Reply {number} to: hi" for number in (first, 5, 6, first + 1)]


@pytest.mark.parametrize("caller", CALLERS[::2], ids=str)
def test_sessions_left_out_of_order(caller: Caller, played: Path, tmp_path: Path) -> None:
    """The outer one ends first: the inner one goes on, and at its end nothing is left."""
    outer, inner = intercept.use_cassette(played), intercept.use_cassette(played)
    before = shipped()
    outer.__enter__()
    session = inner.__enter__()
    outer.__exit__(None, None, None)

    caller.run(ask, caller.client("http://127.0.0.1:9"))
    inner.__exit__(None, None, None)

    assert len(session.calls) == 1
    assert shipped() == before
    assert intercept.current_session() is None


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
def test_a_session_entered_and_left_in_different_tasks(caller: Caller, played: Path) -> None:
    """As asynchronous fixtures do; the task between was started in neither."""
    door = intercept.use_cassette(played)
    before = shipped()

    async def whole() -> int:
        session = await asyncio.create_task(door.__aenter__())
        client = caller.client("http://127.0.0.1:9")
        await asyncio.create_task(ask(client))
        await asyncio.create_task(door.__aexit__(None, None, None))
        await client.close()
        return len(session.calls)

    # Equal requests of the synchronous and the asynchronous client are one request.
    assert asyncio.run(whole()) == 1
    assert shipped() == before


def test_two_unrelated_sessions_refuse_work_from_before_both(played: Path) -> None:
    """Work that began before any session cannot know which of two unrelated ones it belongs to."""
    both, go_on = threading.Barrier(3), threading.Event()
    caught: list[BaseException] = []

    def holding() -> None:
        with intercept.use_cassette(played):
            both.wait(10)
            go_on.wait(10)

    threads = [threading.Thread(target=holding) for _ in range(2)]
    for thread in threads:
        thread.start()
    both.wait(10)
    try:
        CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
    except intercept.ConfigError as error:
        caught.append(error)
    finally:
        go_on.set()
        for thread in threads:
            thread.join()

    assert "several unrelated ones are active" in str(caught[0])


def test_a_wrapper_that_someone_else_put_on_top_stays(played: Path) -> None:
    """We leave below it; what remains of us does nothing, and the next session intercepts once."""
    cls: Any = _CLIENT
    shipped_request: Any = shipped()[cls]["request"]
    log: list[str] = []

    def theirs(wrapped: Any, _instance: Any, args: Any, kwargs: Any) -> Any:
        log.append("theirs")
        return wrapped(*args, **kwargs)

    try:
        with intercept.use_cassette(played):
            ours: Any = shipped()[cls]["request"]
            cls.request = top = wrapt.FunctionWrapper(ours, theirs)
        assert shipped()[cls]["request"] is top
        with intercept.use_cassette(played) as session:
            CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
        assert len(session.calls) == 1
        assert log == ["theirs"]
        assert shipped()[cls]["request"] is top
    finally:
        cls.request = shipped_request


def _point(target: str, *, required: bool = True) -> PatchPoint:
    def wrapper(wrapped: Any, _instance: Any, args: Any, kwargs: Any) -> Any:
        return ("wrapped", wrapped(*args, **kwargs))

    return PatchPoint("tests_shelf", target, wrapper, required=required)


class _Adapter:
    name = sdk = "tests_shelf"
    distribution = "wrapt"
    usage_semantics = "none"

    def __init__(self, *points: PatchPoint) -> None:
        self.patch_points = points

    def is_terminal(self, call: Any, event: str | None, data: str) -> bool:
        return False

    def usage(self, call: Any, bodies: Any) -> None:
        return None

    def capabilities(self, call: Any, body: Any) -> dict[str, Any]:
        return {}

    def catalogues(self, provider: str) -> tuple[str, ...]:
        return ()

    def restore(self) -> None:
        pass


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with a class to patch."""
    module = types.ModuleType("tests_shelf")

    class Base:
        def inherited(self) -> str:
            return "inherited"

    class Client(Base):
        def request(self) -> str:
            return "request"

    module.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests_shelf", module)
    return module


def test_a_missing_place_warns_at_activation_and_refuses_at_the_first_call(shelf: Any, played: Path) -> None:
    """An SDK that could be patched only in part must not slip through; another SDK's calls go on."""
    patches = Patches()
    adapter = _Adapter(_point("Client.request"), _point("Client.gone"), _point("Client.optional", required=False))
    with pytest.warns(intercept.InterceptWarning, match=r"tests_shelf .* has no tests_shelf\.Client\.gone"):
        patches.activate([adapter], [])
    try:
        assert shelf.Client().request() == ("wrapped", "request")  # no session here: not ours to refuse
        with intercept.use_cassette(played):
            with pytest.raises(intercept.CannotPatch) as caught:
                shelf.Client().request()
            CALLERS[0].run(ask, CALLERS[0].client("http://127.0.0.1:9"))
    finally:
        patches.deactivate()

    assert (caught.value.sdk, caught.value.target) == ("tests_shelf", "tests_shelf.Client.gone")
    assert shelf.Client().request() == "request"


def test_an_inherited_method_is_no_place_to_patch(shelf: Any) -> None:
    """It stands in the vars() of the base; patching it here would leave another object behind."""
    patches = Patches()
    with pytest.warns(intercept.InterceptWarning, match=r"Client\.inherited"):
        patches.activate([_Adapter(_point("Client.inherited"))], [])
    patches.deactivate()

    assert "inherited" not in vars(shelf.Client)


def test_a_module_imported_during_a_session_is_patched_then(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Starting a session imports nothing; the application's own import is what patches."""
    (tmp_path / "tests_late.py").write_text("class Client:\n    def request(self):\n        return 'request'\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    patches = Patches()
    point = PatchPoint(
        "tests_late", "Client.request", lambda wrapped, _i, args, kwargs: ("wrapped", wrapped(*args, **kwargs))
    )
    patches.activate([], [point])
    assert "tests_late" not in sys.modules

    late: Any = __import__("tests_late")
    inside = late.Client().request()
    patches.deactivate()

    assert inside == ("wrapped", "request")
    assert late.Client().request() == "request"
    monkeypatch.delitem(sys.modules, "tests_late")


def test_a_module_that_is_reloaded_or_imported_anew_is_patched_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Test suites do that; an SDK that comes back must not slip through, in the same session or the next."""
    (tmp_path / "tests_again.py").write_text("class Client:\n    def request(self):\n        return 'request'\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    point = PatchPoint(
        "tests_again", "Client.request", lambda wrapped, _i, args, kwargs: ("ours", wrapped(*args, **kwargs))
    )
    again: Any = importlib.import_module("tests_again")
    patches = Patches()
    seen: list[Any] = []

    for _ in range(2):
        patches.activate([], [point])
        seen.append(again.Client().request())
        importlib.reload(again)
        seen.append(again.Client().request())
        del sys.modules["tests_again"]
        again = importlib.import_module("tests_again")
        seen.append(again.Client().request())
        patches.deactivate()
        seen.append(again.Client().request())

    assert seen == [*[("ours", "request")] * 3, "request"] * 2
    assert not any(type(finder).__module__ == "intercept.importing" for finder in sys.meta_path)
    monkeypatch.delitem(sys.modules, "tests_again")


def test_a_session_may_begin_while_another_thread_imports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is half there is waited for, not taken for incomplete."""
    (tmp_path / "tests_slow.py").write_text(
        "import time\ntime.sleep(0.3)\nclass Client:\n    def request(self):\n        return 'request'\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    point = PatchPoint(
        "tests_slow", "Client.request", lambda wrapped, _i, args, kwargs: ("ours", wrapped(*args, **kwargs))
    )
    adapter = _Adapter(point)
    thread = threading.Thread(target=importlib.import_module, args=("tests_slow",))
    thread.start()
    while "tests_slow" not in sys.modules:
        pass

    patches = Patches()
    patches.activate([adapter], [])
    inside = cast("Any", sys.modules["tests_slow"]).Client().request()
    patches.deactivate()
    thread.join()

    assert inside == ("ours", "request")
    monkeypatch.delitem(sys.modules, "tests_slow")


def test_an_incomplete_sdk_does_not_stop_other_traffic(shelf: Any, played: Path) -> None:
    """Its own calls are refused; whoever uses the HTTP library for something else is left alone."""
    patches = Patches()
    wire = PatchPoint("tests_wire", "Client.send", lambda wrapped, _i, args, kwargs: wrapped(*args, **kwargs))
    module: Any = types.ModuleType("tests_wire")

    class Client:
        def send(self) -> str:
            return "sent"

    module.Client = Client
    sys.modules["tests_wire"] = module
    with pytest.warns(intercept.InterceptWarning, match="gone"):
        patches.activate([_Adapter(_point("Client.request"), _point("Client.gone"), wire)], [])
    try:
        with intercept.use_cassette(played):
            assert module.Client().send() == "sent"
            with pytest.raises(intercept.CannotPatch):
                shelf.Client().request()
    finally:
        patches.deactivate()
        del sys.modules["tests_wire"]


def test_an_end_that_is_interrupted_lets_the_next_session_record(
    provider: Provider, cassette: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the recording is put in place."""

    def interrupt(_self: Path, _target: Path) -> None:
        raise KeyboardInterrupt

    def recording() -> None:
        with intercept.use_cassette(cassette, mode="record"):
            CALLERS[0].run(ask, CALLERS[0].client(provider.url))

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        recording()
    monkeypatch.undo()
    with pytest.warns(intercept.InterceptWarning, match="did not end well"):
        recording()

    assert cassette.is_file()
