"""Several sessions that extend one cassette at once: nested, in threads, in processes of their own."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import intercept
from intercept.loopback import Provider
from tests.conftest import Canary
from tests.core.either_layout import asked, exchanges, play, rows_of
from tests.core.recording import SYNC, asking

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("a_program")]


def test_a_session_inside_of_another_adds_to_the_same_cassette(provider: Provider, canary: Canary, named: str) -> None:
    """Each serves what was there when it began; numbers are agreed on, and both sessions' rows are kept."""
    play(named, "record", provider.url, "a")
    client = SYNC.client(provider.url)

    with intercept.use_cassette(named, mode="extend") as outer:
        first = client.chat.completions.create(**_question("b"))
        with intercept.use_cassette(named, mode="extend") as inner:
            for text in ("b", "a", "a"):
                client.chat.completions.create(**_question(text))
        client.chat.completions.create(**_question("a"))
        client.chat.completions.create(**_question("a"))
        client.chat.completions.create(**_question("b"))
    client.close()

    assert first.choices[0].message.content == "Reply 2 to: b"
    assert [played.live for played in inner.calls] == [False, False, True]
    assert [played.live for played in outer.calls] == [True, False, True, True]
    assert sorted((text, number) for text, number, _ in exchanges(named)) == [
        *(("a", number) for number in range(3)),
        *(("b", number) for number in range(2)),
    ]
    assert play(named, "replay", canary.url, "a", "a", "b") == ["Reply 1 to: a", "Reply 3 to: a", "Reply 2 to: b"]


def _question(text: str) -> dict[str, object]:
    return {"model": "gpt-4o", "messages": [{"role": "user", "content": text}]}


def test_sessions_in_threads_add_to_the_same_cassette(provider: Provider, canary: Canary, named: str) -> None:
    """Each row is kept, equal requests have numbers without a gap, and each thread's own order holds."""
    texts = [["same", f"{name} one", "same", f"{name} two"] for name in "abc"]
    begin = threading.Barrier(len(texts))

    def extend(*texts: str) -> None:
        with intercept.use_cassette(named, mode="extend"):
            begin.wait(10)
            SYNC.run(asking(*texts), SYNC.client(provider.url))

    threads = [threading.Thread(target=extend, args=own) for own in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    rows = rows_of(named)
    assert sorted(row["occurrence"] for row in rows if asked(row) == "same") == list(range(6))
    assert sorted(asked(row) for row in rows) == sorted(text for own in texts for text in own)
    if named.endswith(".jsonl"):
        order = [asked(row) for row in rows]
        assert all(order.index(f"{name} one") < order.index(f"{name} two") for name in "abc")
    play(named, "replay", canary.url, *(text for own in texts for text in own))


_PROGRAM = """
import sys
import intercept, openai

with intercept.use_cassette(sys.argv[1], mode="extend"):
    client = openai.OpenAI(api_key="none", base_url=sys.argv[2] + "/v1")
    for text in ("same", sys.argv[3], "same"):
        client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
"""


@pytest.mark.slow
def test_processes_add_to_the_same_cassette(provider: Provider, canary: Canary, named: str, tmp_path: Path) -> None:
    """Unrelated ones, at once: nothing is lost, and no number is given twice."""
    command = [sys.executable, "-W", "error", "-c", _PROGRAM, named, provider.url]
    running = [subprocess.Popen([*command, name], cwd=tmp_path) for name in "ab"]
    codes = [process.wait(60) for process in running]

    assert codes == [0, 0]
    numbers = [(text, number) for text, number, _ in exchanges(named)]
    assert sorted(numbers) == [("a", 0), ("b", 0), *(("same", number) for number in range(4))]
    play(named, "replay", canary.url, "a", "b", *["same"] * 4)
