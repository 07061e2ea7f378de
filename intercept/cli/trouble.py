"""How an error reaches the person at the terminal: its text and exit code 2, and with `--debug` the traceback."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

import click

from intercept import InterceptError, InterceptWarning

if TYPE_CHECKING:
    from collections.abc import Callable

Command = TypeVar("Command", bound="Callable[..., Any] | click.Command")

_DEBUG: Final = "intercept.debug"


def debug_option(function: Command) -> Command:
    """Add `--debug`; it may stand before or behind the name of a command."""
    option = click.option(
        "--debug", is_flag=True, expose_value=False, callback=_note, help="Show the traceback of an error."
    )
    return option(function)


def _note(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  click calls it so
    if value:
        context.meta[_DEBUG] = True


class Told(click.Group):
    """A group whose commands tell their own errors and warnings, in words alone."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; see `click.Group.invoke`."""
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            try:
                return super().invoke(ctx)
            except InterceptError as error:
                if ctx.meta.get(_DEBUG):
                    raise
                # Notes tell what became of a recording; only a traceback would show them.
                for text in (f"error: {error}", *getattr(error, "__notes__", ())):
                    click.echo(text, err=True)
                ctx.exit(2)


def _warn(  # noqa: PLR0913, PLR0917  the signature of `warnings.showwarning`
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    """Stand in for `warnings.showwarning`: whoever types a command has no use for a line of our source."""
    told = isinstance(message, InterceptWarning)
    text = f"warning: {message}" if told else warnings.formatwarning(message, category, filename, lineno).rstrip()
    click.echo(text, err=True)
