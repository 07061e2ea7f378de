"""The command `intercept`. What it needs is loaded when it runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command and end the process with its exit code: 0 good, 1 not as promised, 2 an error."""
    from intercept.cli.command import command

    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:  # an answer may hold what a terminal cannot show
        reconfigure(errors="replace")
    command()
