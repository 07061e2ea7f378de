"""Both runs side by side, made for 80 columns, on a screen or in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from intercept_demo import agent
from intercept_demo.compare import differences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from intercept_demo.play import Demo
    from intercept_demo.steps import Outcome, Step

EQUAL = """\
Every object is equal, by type and model_dump(). The replay sent nothing, tried
no connection and needed no key; no key stands in the cassette."""
NEXT = """\
Next: put `with intercept.use_cassette("chat.jsonl"):` around your own code, and
run it once with INTERCEPT_MODE=record and from then on without."""


def runs(console: Console, demo: Demo) -> None:
    """Show each step: what it brought, and what it cost when recorded and when replayed."""
    console.print(_line("", "recorded", "replayed", Text("objects"), style="bold"))
    for number, (step, before, after) in enumerate(zip(demo.steps, demo.recorded, demo.replayed, strict=True), 1):
        _step(console, number, step, before, after)
    console.print(_line("  all", _cost(demo.recorded), _cost(demo.replayed), Text(), style="bold"))
    console.print()


def _step(console: Console, number: int, step: Step, before: Outcome, after: Outcome) -> None:
    equal = not any(differences(before, after))
    verdict = Text("equal" if equal else "DIFFERENT", style="green" if equal else "bold red")
    console.print(_line(f"{number} {step.title}", _cost([before]), _cost([after]), verdict, style="bold"))
    if isinstance(before.got, agent.Got):
        count = Text(f"{len(before.got.objects)} object{'s' * (len(before.got.objects) > 1)}")
        console.print(_line(f"  {step.method}", _tokens(before), _tokens(after), count, style="dim"))
        deltas = f"  in {len(before.got.deltas)} deltas:\n" if before.got.deltas else ""
        console.print(Text(deltas + "\n".join(f"  {line}" for line in before.got.text.splitlines()), style="italic"))
    console.print()


def verdict(console: Console, demo: Demo) -> None:
    """Say whether all went as promised, and what to do next."""
    if found := demo.differences():
        console.print(Text("Not as promised:", style="bold red"))
        for text in found:
            console.print(Text(f"  {text}"), soft_wrap=True)
        return
    console.print(Text(EQUAL, style="bold green"))
    console.print()
    console.print(Text(NEXT))


def _line(step: str, recorded: str, replayed: str, objects: Text, *, style: str) -> Text:
    line = Text(f"{step:<34}{recorded:<17}{replayed:<17}", style=style).append(objects)
    line.rstrip()
    return line


def _cost(outcomes: Iterable[Outcome]) -> str:
    taken = list(outcomes)
    hits, seconds = sum(outcome.hits for outcome in taken), sum(outcome.seconds for outcome in taken)
    return f"{hits} {'hit ' if hits == 1 else 'hits'} {seconds:6.2f} s"


def _tokens(outcome: Outcome) -> str:
    if outcome.usage.input + outcome.usage.output == 0:
        return "no usage"
    return f"{outcome.usage.input}+{outcome.usage.output} tokens"
