"""Several processes add to one cassette at once: every row is there, whole, under a number of its own."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

import intercept
from intercept.loopback import Provider
from tests.conformance.callers import ask, said
from tests.core.children import PATIENCE, Child, ColdChild, Report, barrier, ended_well
from tests.core.forking import kept
from tests.core.programs import run
from tests.core.recording import SYNC, asking

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_run")]

_MIXES: dict[str, Callable[[int, int], str]] = {
    "equal": lambda process, number: "the same",
    "different": lambda process, number: f"question {number} of {process}",
    "mixed": lambda process, number: f"question {number % 3}" if number % 2 else f"question {number} of {process}",
}
_SIZES = [(4, 10), pytest.param((8, 100), marks=[pytest.mark.slow, pytest.mark.timeout(600)])]


def _extending(report: Report, path: Path, url: str, texts: list[str], *, together: Barrier) -> None:
    """Ask these questions once all others are ready; report the answers."""

    async def scenario(client: Any) -> list[str]:
        return [said(await ask(client, text)) for text in texts]

    with intercept.use_cassette(path, mode="extend"):
        together.wait(PATIENCE)
        report(SYNC.run(scenario, SYNC.client(url)))


@pytest.mark.parametrize("size", _SIZES, ids=str)
@pytest.mark.parametrize("mix", _MIXES)
def test_processes_that_extend_one_cassette_lose_no_row(
    mix: str, size: tuple[int, int], provider: Provider, place: Path
) -> None:
    """Whatever they ask: numbers are unique, and each process' own rows stand in the order of its calls."""
    processes, rows = size
    texts = [[_MIXES[mix](process, number) for number in range(rows)] for process in range(processes)]
    together = barrier(processes)

    answers = ended_well(
        *(Child(_extending, place, provider.url, asked, together=together) for asked in texts),
    )

    rows_kept = kept(place)
    assert sorted(rows_kept) == sorted(answer for (told,) in answers for answer in told)
    for asked, (told,) in zip(texts, answers, strict=True):
        assert len(set(told)) == len(asked) == rows
        for text in set(asked):
            mine = [answer for answer in told if answer.endswith(f" to: {text}")]
            assert [answer for answer in rows_kept if answer in mine] == mine


_PROGRAM = """
    import sys
    import intercept, openai

    path, *texts = sys.argv[1:]
    with intercept.use_cassette(path, mode="extend"):
        for text in texts:
            messages = [{"role": "user", "content": text}]
            print(openai.OpenAI().chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content)
"""


@pytest.mark.slow
def test_processes_that_were_started_otherwise_extend_a_cassette_together(
    provider: Provider, place: Path, tmp_path: Path
) -> None:
    """One by `spawn`, one forked, and a program of its own, while we extend it too."""
    with intercept.use_cassette(place, mode="extend"):
        children = [
            kind(_extending, place, provider.url, [f"of {kind.__name__}"] * 10, together=barrier(1))
            for kind in (Child, ColdChild)
        ]
        ours = SYNC.run(asking("of us", "of us"), SYNC.client(provider.url))
        texts = ["of a program"] * 2
        url = f"{provider.url}/v1"
        ended = run(tmp_path, _PROGRAM, str(place), *texts, OPENAI_BASE_URL=url, OPENAI_API_KEY="none")
        theirs = [answer for (told,) in ended_well(*children) for answer in told]

    answers = [*ours, *theirs, *ended.stdout.splitlines()]
    assert "intercept" not in ended.stderr  # that a socket of the SDK was left to the collector is no word of ours
    assert sorted(kept(place)) == sorted(answers)
    assert len(answers) == 24
