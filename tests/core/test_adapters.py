"""Adapters come through the entry points, ours and anybody's; a missing SDK is told, and none is imported for us."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import CALLERS, Caller, ask, said
from tests.core.handmade import header, row
from tests.core.programs import run

SDKS = ("openai", "anthropic")


@pytest.mark.parametrize("mode", ["replay", "record", "off"])
@pytest.mark.parametrize("names", [["opnai"], ["openai", "cohere"], ["OpenAI"], [""]])
def test_an_unknown_adapter_is_refused_with_those_there_are(names: list[str], mode: str, empty: Path) -> None:
    """In every mode: a typing error would let calls go by."""
    unknown = names[-1]
    before = empty.read_bytes()

    with pytest.raises(intercept.ConfigError) as caught:
        intercept.use_cassette(empty, adapters=names, mode=mode).__enter__()

    assert f'"{unknown}"' in str(caught.value)
    assert all(sdk in str(caught.value) for sdk in SDKS)
    assert empty.read_bytes() == before


def test_a_cassette_of_an_adapter_that_is_not_there_is_refused(empty: Path) -> None:
    """Its rows could not be served to anybody."""
    empty.write_bytes(header() + row(adapter="cohere"))

    with pytest.raises(intercept.ConfigError, match=r'"cohere", which is not installed.*openai') as caught:
        intercept.use_cassette(empty).__enter__()

    assert str(empty) in str(caught.value)


@pytest.mark.parametrize("caller", CALLERS, ids=str)
def test_only_the_chosen_sdk_is_looked_at(caller: Caller, provider: Provider, cassette: Path) -> None:
    """Calls of the other go where they would go without us."""
    (other,) = [sdk for sdk in SDKS if sdk != caller.sdk]

    async def asked(client: Any) -> str:
        return said(await ask(client))

    with (
        pytest.warns(intercept.InterceptWarning, match="no SDK call was seen"),
        intercept.use_cassette(cassette, mode="record", adapters=[other]) as session,
    ):
        text = caller.run(asked, caller.client(provider.url))

    assert (text, session.calls, cassette.exists()) == ("Reply 1 to: hi", [], False)


def _printed(ran: subprocess.CompletedProcess[str]) -> Any:
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return json.loads(ran.stdout)


# Ways in which a package may be missing: as where nobody installed it, and as test suites pretend it.
_HIDE = """
    import json, sys
    import intercept

    class Without:
        def __init__(self, names, finders):
            self.names, self.finders = names, finders

        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] not in self.names:
                for finder in self.finders:
                    if spec := finder.find_spec(name, path, target):
                        return spec

        def find_distributions(self, *arguments, **named):
            for finder in self.finders:
                if hasattr(finder, "find_distributions"):
                    yield from finder.find_distributions(*arguments, **named)

    class Forbidding:
        def __init__(self, names):
            self.names = names

        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in self.names:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def tried(**settings):
        try:
            with intercept.use_cassette(sys.argv[1], **settings) as session:
                return f"entered {session.mode}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def hidden(way, names):
        finders = list(sys.meta_path)
        if way == "not found":
            sys.meta_path[:] = [Without(names, finders)]
        elif way == "forbidden":
            sys.meta_path.insert(0, Forbidding(names))
        else:
            sys.modules.update(dict.fromkeys(names))
        told = [tried(), tried(adapters=["openai"]), tried(adapters=["anthropic"])]
        sys.meta_path[:] = finders
        for name in names:
            sys.modules.pop(name, None)
        return told

    tried()  # what we load ourselves is found
    print(json.dumps({
        f"{way} {','.join(names)}": hidden(way, names)
        for way in ("not found", "forbidden", "none")
        for names in (["openai"], ["anthropic"], ["openai", "anthropic"])
    }))
"""


@pytest.fixture(scope="module")
def told_without(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is told where SDKs are missing: to who names none, to who names openai, to who names anthropic."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "x.jsonl").write_bytes(header())
    told: dict[str, list[str]] = _printed(run(folder, _HIDE, str(folder / "x.jsonl")))
    return told


every_way = pytest.mark.parametrize("way", ["not found", "forbidden", "none"])


@every_way
@pytest.mark.parametrize("sdk", SDKS)
def test_one_sdk_is_enough(sdk: str, way: str, told_without: dict[str, list[str]]) -> None:
    """Whoever asks for the missing one by name is told how to install it."""
    every, *named = told_without[f"{way} {sdk}"]

    missing, there = named if sdk == "openai" else named[::-1]
    assert (every, there) == ("entered replay", "entered replay")
    assert missing.startswith("ConfigError: ")
    assert f"pip install {sdk}" in missing


@every_way
def test_without_any_sdk_there_is_nothing_to_do(way: str, told_without: dict[str, list[str]]) -> None:
    """The error names those that we know."""
    every, *_ = told_without[f"{way} openai,anthropic"]

    assert every.startswith("ConfigError: ")
    assert all(sdk in every for sdk in SDKS)
    assert "pip install" in every


_LOADED = """
    import json, sys

    NAMES = ("openai", "anthropic", "httpx", "httpx2", "httpcore", "pydantic", "asyncio", "click", "rich")

    def loaded():
        return [name for name in NAMES if name in sys.modules]

    before = loaded()
    import intercept
    imported = loaded()
    with intercept.use_cassette(sys.argv[1], mode="off"):
        off = loaded()
    with intercept.use_cassette(sys.argv[1]):
        replaying = loaded()
    print(json.dumps({"before": before, "imported": imported, "off": off, "replaying": replaying, "left": loaded()}))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a program has loaded that does nothing but hold a session, from step to step."""
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "x.jsonl").write_bytes(header())
    found: dict[str, list[str]] = _printed(run(folder, _LOADED, str(folder / "x.jsonl")))
    return found


@pytest.mark.parametrize("step", ["before", "imported", "off", "replaying", "left"])
def test_neither_importing_us_nor_a_session_imports_an_sdk(step: str, loaded: dict[str, list[str]]) -> None:
    """Nor an HTTP library: a test suite that calls no model pays for none."""
    assert set(loaded[step]) <= {"asyncio"}


@pytest.mark.parametrize("step", ["before", "imported", "off"])
def test_importing_us_does_not_import_asyncio(step: str, loaded: dict[str, list[str]]) -> None:
    """It takes longer than all the rest of us; only patching brings it along, by way of wrapt."""
    assert "asyncio" not in loaded[step]


_SITE = {
    "echo_sdk/__init__.py": '''
        """An SDK of somebody: one class that sends text and gets text back."""

        sent = []


        class Client:
            secret = "echo-" + "K" * 20

            def send(self, text):
                sent.append(text)
                return f"echo {len(sent)}: {text}"
    ''',
    "echo_adapter.py": '''
        """Somebody's adapter: it knows `intercept.spi` and nothing else of us."""

        from intercept.spi import Call, Halt, PatchPoint, Reply, Usage, current_session


        def send(wrapped, client, args, kwargs):
            session = current_session()
            if session is None:
                return wrapped(*args, **kwargs)
            call = Call("echo", "echo", "SEND /text", "SEND", "/text", body={"prompt": args[0]}, model="echo-1")
            try:
                outcome = session.decide(call, [client.secret])
            except Halt as halt:
                raise halt.error from None
            if isinstance(outcome, Reply):
                return b"".join(outcome.chunks).decode()
            answer = wrapped(*args, **kwargs)
            outcome.finish(Reply(200, (("content-type", "text/plain"),), (answer.encode(),)))
            return answer


        class Echo:
            name = sdk = "echo_sdk"
            name = "echo"
            distribution = "echo-sdk"
            usage_semantics = "echo-v1"
            patch_points = (PatchPoint("echo_sdk", "Client.send", send),)

            def is_terminal(self, call, event, data):
                return True

            def usage(self, call, bodies):
                return Usage(input=1, output=2)

            def capabilities(self, call, body):
                return {}

            def catalogues(self, provider):
                return ()

            def untouched(self, call):
                return ()

            def pieces(self, body):
                return ()

            def restore(self):
                pass


        adapter = Echo()
        class_only = Echo
        no_adapter = {"name": "echo"}
    ''',
    "echo_sdk-2.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: echo-sdk\nVersion: 2.5\n",
    "intercept_echo-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: intercept-echo\nVersion: 1.0\n",
    "intercept_echo-1.0.dist-info/entry_points.txt": "[intercept.adapters]\necho = {entry}\n",
}


def _site(folder: Path, entry: str = "echo_adapter:adapter") -> Path:
    """Install somebody's SDK and adapter into a folder, as pip lays them out."""
    for name, content in _SITE.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = dedent(content).lstrip("\n")
        file.write_text(text.replace("{entry}", entry) if name.endswith(".txt") else text, encoding="utf-8")
    return folder


_ECHO = """
    import json, sys
    import intercept
    import echo_sdk

    def tried(mode, *texts, **settings):
        try:
            with intercept.use_cassette(sys.argv[1], mode=mode, **settings) as session:
                said = [echo_sdk.Client().send(text) for text in texts]
            return [said, [played.call.adapter for played in session.calls], session.usage.output]
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    before = echo_sdk.Client.__dict__["send"]
    results = [
        tried("record", "hi", "my key is " + echo_sdk.Client.secret),
        tried("replay", "hi", "my key is " + echo_sdk.Client.secret),
        tried("replay", "never asked", adapters=["echo"]),
        tried("off", "hi"),
    ]
    print(json.dumps([results, len(echo_sdk.sent), echo_sdk.Client.__dict__["send"] is before]))
"""


def test_an_adapter_of_somebody_else_records_and_replays(tmp_path: Path, cassette: Path) -> None:
    """Found by its entry point, through the same door as ours: identity, redaction, misses and all."""
    site = _site(tmp_path / "site")

    ran = run(tmp_path, _ECHO, str(cassette), PYTHONPATH=str(site))

    (recorded, replayed, missed, off), sent, restored = _printed(ran)
    key = "echo-" + "K" * 20
    header_line, *rows = [json.loads(line) for line in cassette.read_bytes().splitlines()]
    assert recorded == [["echo 1: hi", f"echo 2: my key is {key}"], ["echo", "echo"], 4]
    assert replayed == [["echo 1: hi", "echo 2: my key is [REDACTED:credential:1]"], ["echo", "echo"], 4]
    assert missed.startswith("NeverRecorded: echo SEND /text has no reply")
    assert off == [["echo 3: hi"], [], 0]
    assert (sent, restored) == (3, True)
    assert header_line["sdks"]["echo_sdk"] == "2.5"
    assert [(row["adapter"], row["model"], row["usage_semantics"]) for row in rows] == [
        ("echo", "echo-1", "echo-v1")
    ] * 2
    assert key.encode() not in cassette.read_bytes()


def test_an_adapter_of_somebody_else_without_its_sdk_is_told_when_it_is_asked_for(tmp_path: Path, empty: Path) -> None:
    """By the name of its distribution; those who do not ask for it are not bothered."""
    site = _site(tmp_path / "site")
    for file in (site / "echo_sdk").iterdir():
        file.unlink()
    (site / "echo_sdk").rmdir()
    source = """
        import json, sys
        import intercept

        def tried(**settings):
            try:
                with intercept.use_cassette(sys.argv[1], **settings):
                    return "entered"
            except intercept.ConfigError as error:
                return str(error)

        print(json.dumps([tried(), tried(adapters=["echo"])]))
    """

    every, named = _printed(run(tmp_path, source, str(empty), PYTHONPATH=str(site)))

    assert every == "entered"
    assert "pip install echo-sdk" in named


@pytest.mark.parametrize(
    "entry",
    [
        "echo_adapter:no_adapter",
        "echo_adapter:class_only",
        "echo_adapter",
        "echo_adapter:absent",
        "echo_absent:adapter",
        "echo_sdk:Client",
    ],
)
@pytest.mark.slow
def test_an_entry_point_that_gives_no_adapter_is_told_by_its_name(entry: str, tmp_path: Path, cassette: Path) -> None:
    """Whoever installed it has to know which package to remove or mend."""
    site = _site(tmp_path / "site", entry)

    ran = run(tmp_path, _ECHO, str(cassette), PYTHONPATH=str(site))

    (recorded, *_), _, _ = _printed(ran)
    assert recorded.startswith("ConfigError: ")
    assert entry in recorded
    assert not cassette.exists()
