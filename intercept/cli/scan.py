"""`intercept scan`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from intercept.cli.trouble import debug_option

if TYPE_CHECKING:
    from intercept.scan import Report


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="github: annotations of a workflow.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@debug_option
@click.pass_context
def scan(context: click.Context, *, paths: tuple[Path, ...], style: str, as_json: bool) -> None:
    """Look for secrets in cassettes of any tool, and in any other file.

    PATH is a file, or a folder with all that is in it. What is found is told by its place and kind, never by what it
    is. Exits with 0 if nothing is found, with 1 for a finding or if there was no file, with 2 if a file could not be
    read.
    """
    from intercept.cli import showing

    report = _scanned(paths)
    if as_json or style == "json":
        showing.as_json(report)
    elif style == "github":
        showing.as_annotations(report)
    else:
        showing.as_text(report)
    context.exit(report.exit_code)


def _scanned(paths: tuple[Path, ...]) -> Report:
    from rich.console import Console

    from intercept.scan import Report, Scanner, Unreadable, walk

    report, scanner = Report(), Scanner()
    console = Console(stderr=True, highlight=False)
    with console.status("scanning") as status:  # rich shows it on a terminal only
        for walked in walk(paths):
            why = walked.why
            if not why:
                try:
                    found, size = scanner.scan(walked.path)
                except (OSError, ValueError) as error:
                    why = getattr(error, "strerror", None) or str(error)
                else:
                    report.findings += found
                    report.files += 1
                    report.size += size
                    status.update(f"scanning: {report.files} files, {report.size / 1e6:.1f} MB")
            if why:
                report.unreadable.append(Unreadable(walked.path, why))
    return report
