"""The group of all commands: the version, and how an error is told."""

from __future__ import annotations

import click

from intercept.cli.adopt import adopt
from intercept.cli.demo import demo
from intercept.cli.scan import scan
from intercept.cli.trouble import Told, debug_option


@click.group(cls=Told, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sdk-intercept", prog_name="intercept", message="%(prog)s %(version)s")
@debug_option
def command() -> None:
    """Record once, replay for ever: calls of the official openai and anthropic SDKs."""


command.add_command(adopt)
command.add_command(demo)
command.add_command(scan)
