"""`intercept adopt`."""

from __future__ import annotations

from pathlib import Path

import click

from intercept.cli.trouble import debug_option


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="CASSETTE...", type=click.Path(path_type=Path))
@debug_option
def adopt(paths: tuple[Path, ...]) -> None:
    """Keep what a recording left behind that failed or crashed.

    CASSETTE is a cassette, or the file beside it that holds the recording: NAME.partial.jsonl, or NAME.failed.jsonl
    once the cassette was recorded again. The rows take their place as they would have at a clean end.
    """
    from intercept.rescue import rescue

    for path in paths:
        rescued = rescue(path)
        stay = f"; {rescued.others} others stay" if rescued.others else ""
        click.echo(f"{rescued.cassette}: {rescued.rows} rows from {rescued.left}{stay}")
