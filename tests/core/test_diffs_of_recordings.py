"""What a recording changes under git: nothing where nothing changed, and else what changed, line by line."""

from __future__ import annotations

import asyncio
import difflib
import getpass
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Answer, Provider
from tests.conformance.callers import CALLERS, Caller, Scenario, ask, each, settled
from tests.core.either_layout import everything, play, texts_of
from tests.core.recording import SYNC, UPDATE, every_caller, questions
from tests.core.repository import Git

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("a_program")]


async def _everything(client: Any) -> None:
    await ask(client, "plain")
    await each(await ask(client, "streamed", stream=True))
    await ask(client, "plain")
    await settled(client.models.list())
    with pytest.raises(Exception, match="404"):
        await settled(client.models.retrieve("no-such-model"))


@every_caller
@pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
def test_recording_unchanged_behaviour_again_changes_no_byte(
    mode: str, caller: Caller, provider: Provider, named: str
) -> None:
    """Git sees no difference: no time, no random name, no order of a set, and no trace of the machine gets in."""
    git = Git(Path(named).parent)

    for _ in range(2):
        provider.reset()
        with intercept.use_cassette(named, mode=mode):
            caller.run(_everything, caller.client(provider.url))
        if not git("log", "--oneline", "--all"):
            git.commit()

    assert git("diff", "--stat") == git("status", "--short") == ""
    assert len(texts_of(named)) == 5


@pytest.mark.parametrize("caller", CALLERS[1::2], ids=str)
@pytest.mark.parametrize("mode", ["record", UPDATE])
def test_calls_that_overtake_each_other_differently_give_the_same_bytes(
    mode: str, caller: Caller, provider: Provider, named: str
) -> None:
    """Rows stand in the order of the calls, not of the answers."""
    contents: list[dict[str, bytes]] = []
    for order in ([0, 1, 2, 3], [2, 3, 1, 0]):
        provider.reset()
        with intercept.use_cassette(named, mode=mode):
            caller.run(_released(provider, order), caller.client(provider.url))
        contents.append(everything(named))

    assert contents[0] == contents[1]
    assert named.endswith("/") or questions(Path(named)) == ["same", "b", "same", "d"]


def _released(provider: Provider, order: list[int]) -> Scenario:
    """Return a scenario of four calls that are answered in this order."""

    async def asked(client: Any) -> None:
        with provider.hold() as held:
            tasks: list[asyncio.Future[Any]] = []
            for number, text in enumerate(["same", "b", "same", "d"]):
                tasks.append(asyncio.ensure_future(ask(client, text)))
                await asyncio.to_thread(held.wait, number + 1)
            for number in order:
                held[number].release()
                await tasks[number]

    return asked


def _answer(caller: Caller, number: int) -> Answer:
    """Return the one answer of a provider, under headers that are other ones each time."""
    openai: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    openai["choices"] = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "yes"}}]
    anthropic: dict[str, Any] = {"id": "m", "type": "message", "model": "m", "role": "assistant"}
    anthropic |= {"content": [{"type": "text", "text": "yes"}], "usage": {"input_tokens": 1, "output_tokens": 1}}
    request_id = "x-request-id" if caller.sdk == "openai" else "request-id"
    headers = (
        (request_id, f"req_{number}"),
        ("date", f"Tue, 01 Dec 2026 03:00:{number:02} GMT"),
        ("set-cookie", f"__cf_bm={number}; path=/"),
        ("cf-ray", f"{number}-FRA"),
        ("openai-processing-ms", str(number)),
        ("openai-organization", f"org-{number}"),
        ("anthropic-ratelimit-requests-remaining", str(number)),
    )
    return Answer(body=openai if caller.sdk == "openai" else anthropic, headers=headers)


@pytest.mark.parametrize("caller", CALLERS[::3], ids=str)
@pytest.mark.parametrize("mode", ["record", UPDATE])
def test_of_headers_that_change_with_each_answer_the_request_id_alone_is_seen(
    mode: str, caller: Caller, provider: Provider, named: str
) -> None:
    """Dates, cookies, rays and limits are not kept, so they make no diff."""
    texts: list[list[bytes]] = []
    for first in (10, 20):
        provider.answer(*(_answer(caller, first + number) for number in range(2)))
        with intercept.use_cassette(named, mode=mode):
            caller.run(_two, caller.client(provider.url))
        texts.append(texts_of(named))

    changed = [list(difflib.ndiff(_readable(old), _readable(new))) for old, new in zip(*texts, strict=True)]
    for diff in changed:
        old, new = (sorted(line[1:].strip() for line in diff if line.startswith(sign)) for sign in "-+")
        assert [re.sub(r"req_1\d", "", line) for line in old] == [re.sub(r"req_2\d", "", line) for line in new]
        assert len(old) == 1


def _readable(text: bytes) -> list[str]:
    return json.dumps(json.loads(text), indent=1).splitlines()


async def _two(client: Any) -> None:
    await ask(client, "a")
    await ask(client, "b")


@pytest.mark.parametrize("mode", ["record", UPDATE, "extend"])
def test_nothing_of_the_machine_or_the_hour_is_written(mode: str, provider: Provider, named: str) -> None:
    """No path, host, port, user or process, and nothing that a recording needs only until it ends."""
    play(named, mode, provider.url, "a", "b")

    text = b"".join(everything(named).values()).decode()
    port = provider.url.rpartition(":")[2]
    strangers = [str(Path(named).parent), str(Path.home()), "127.0.0.1", f":{port}", socket.gethostname()]
    assert [word for word in [*strangers, getpass.getuser() + "@", "sequence", "cassettes"] if word in text] == []
    assert re.findall(r"20\d\d-\d\d-\d\d|\d\d:\d\d:\d\d", text) == []


@pytest.mark.parametrize("mode", ["record", UPDATE])
def test_one_changed_answer_is_one_changed_line(mode: str, provider: Provider, named: str) -> None:
    """In the one file, or in the one of its row; what did not change makes no diff around it."""
    git = Git(Path(named).parent)
    for numbers in ([1, 2, 3], [1, 9, 3]):
        provider.answer(*(_answer(SYNC, number) for number in numbers))
        play(named, mode, provider.url, "a", "b", "c")
        if numbers == [1, 2, 3]:
            git.commit()

    (changed,) = git("diff", "--numstat").splitlines()
    assert changed.startswith("1\t1\t")
    assert git("status", "--short").count("\n") == 1
