"""Places to patch that are missing, inherited, or imported late, again or at the same time."""

from __future__ import annotations

import importlib
import sys
import threading
import types
from pathlib import Path
from typing import Any, cast

import pytest

import intercept
from intercept.patching import Patches
from intercept.spi import PatchPoint
from tests.conformance.callers import CALLERS, ask


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

    def untouched(self, call: Any) -> tuple[str, ...]:
        return ()

    def pieces(self, body: Any) -> tuple[Any, ...]:
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
