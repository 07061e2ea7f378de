"""The command `intercept`. What it needs is loaded when it runs."""

from __future__ import annotations


def main() -> None:
    """Run the command and end the process with its exit code: 0 good, 1 not as promised, 2 an error."""
    from intercept.cli.command import command

    command()
