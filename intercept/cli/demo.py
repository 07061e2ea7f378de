"""`intercept demo`."""

from __future__ import annotations

from pathlib import Path

import click

from intercept.cli.trouble import debug_option


@click.command()
@click.option(
    "--cassette",
    type=click.Path(dir_okay=False, path_type=Path),
    default="intercept-demo.jsonl",
    show_default=True,
    help="The file to record to.",
)
@click.option("--live", is_flag=True, help="Record the real providers, with the keys in the environment.")
@click.option("--openai-model", default="gpt-4.1-mini", show_default=True)
@click.option("--anthropic-model", default="claude-haiku-4-5", show_default=True)
@debug_option
@click.pass_context
def demo(context: click.Context, *, cassette: Path, live: bool, openai_model: str, anthropic_model: str) -> None:
    """Record a small agent on both SDKs, then replay it without keys or network.

    Exits with 0 only if every object is equal and the replay reached for nothing; with 1 otherwise.
    """
    from intercept_demo import requirements

    requirements.check(live=live)

    from rich.console import Console

    from intercept_demo.opening import announce

    console = Console(highlight=False)
    announce(console, live=live)
    with console.status("loading both SDKs") as status:
        from intercept_demo import excerpt, show
        from intercept_demo.play import play
        from intercept_demo.steps import Models

        played = play(cassette.absolute(), Models(openai_model, anthropic_model), live=live, progress=status.update)
    show.runs(console, played)
    excerpt.excerpt(console, played.cassette)
    show.verdict(console, played)
    context.exit(1 if played.differences() else 0)
