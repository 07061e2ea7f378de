"""How a scan is told: to people, to programs, and to workflows of GitHub."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from intercept.scan import Finding, Report


def as_text(report: Report) -> None:
    """Print a line for each finding, coloured on a terminal, and what they come to."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for finding in report.findings:
        line = Text(f"{_name(finding.path)}:{finding.line}:{finding.column}: ")
        line.append(finding.label, style="bold red")
        line.append(f" ({finding.part})" if finding.part else "", style="dim")
        console.print(line)
    _unreadable(report)
    console.print(Text(_summary(report), style="" if report.findings else "dim"))


def as_json(report: Report) -> None:
    """Print one object."""
    click.echo(
        json.dumps(
            {
                "findings": [
                    {
                        "path": str(finding.path),
                        "line": finding.line,
                        "column": finding.column,
                        "label": finding.label,
                        "part": finding.part,
                    }
                    for finding in report.findings
                ],
                "unreadable": [{"path": str(each.path), "why": each.why} for each in report.unreadable],
                "files": report.files,
                "bytes": report.size,
            },
            indent=2,
        )
    )


def as_annotations(report: Report) -> None:
    """Print commands of a workflow, which mark the lines; see GitHub's "Workflow commands"."""
    for finding in report.findings:
        click.echo(
            f"::error file={_property(str(finding.path))},line={finding.line},col={finding.column},"
            f"title=intercept scan::{_data(_told(finding))}"
        )
    for each in report.unreadable:
        click.echo(f"::error file={_property(str(each.path))},title=intercept scan::{_data(each.why)}")
    click.echo(_data(_summary(report)))


def _told(finding: Finding) -> str:
    return f"{finding.label} ({finding.part})" if finding.part else finding.label


def _unreadable(report: Report) -> None:
    for each in report.unreadable:
        click.echo(f"error: {_name(each.path)}: {each.why}", err=True)


def _summary(report: Report) -> str:
    found, files = len(report.findings), report.files
    return (
        f"{found} finding{'' if found == 1 else 's'} in {files} file{'' if files == 1 else 's'}, "
        f"{report.size / 1e6:.1f} MB"
    )


def _name(path: Path) -> str:
    """Write a path in one line: whatever a terminal would take for more than letters is escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in str(path)
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
