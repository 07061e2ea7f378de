"""What the demo says before it loads anything heavy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from intercept_demo.pace import BEFORE_A_COMPLETION, BETWEEN_EVENTS

if TYPE_CHECKING:
    from rich.console import Console

STAND_IN: Final = f"""\
  recorded  from a stand-in on 127.0.0.1, with made-up keys; it waits like a
            provider: {BEFORE_A_COMPLETION:g} s for a completion, {BETWEEN_EVENTS:g} s between two events
  replayed  with the keys taken away, the stand-in stopped, every socket shut
"""
LIVE: Final = """\
  recorded  from the real providers, with the keys in the environment
  replayed  with the keys taken away and every socket shut
"""


def announce(console: Console, *, live: bool) -> None:
    """Say what is about to happen."""
    console.print(Text("One agent, written on the plain openai and anthropic SDKs, runs twice:", style="bold"))
    console.print(Text(LIVE if live else STAND_IN))
    console.print(Text(f"The agent: {Path(__file__).with_name('agent.py')}", style="dim"), soft_wrap=True)
    console.print()
