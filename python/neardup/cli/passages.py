"""`neardup passages`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import passages_options
from neardup.pieces import CUTS, MOST, UNITS


@click.command(cls=Command)
@passages_options
@click.option(
    "--tokens",
    type=click.IntRange(min=2, max=MOST),
    default=50,
    show_default=True,
    help="Tokens in a row that are a passage when they stand at two places.",
)
@click.option("--unit", type=click.Choice(UNITS), help="What a token is.  [default: words]")
@click.option(
    "--cut",
    type=click.Choice(CUTS),
    help="What is cut whole; lines and sentences inside a passage, or all tokens.  [default: sentences]",
)
@click.option(
    "--least",
    type=click.IntRange(min=0),
    help="A document that was cut and has fewer tokens left is dropped.  [default: 1]",
)
@click.option("--no-kept", is_flag=True, help="Leave the kept documents out of the results: nothing is cut in them.")
def passages(**options: Any) -> None:
    """Find every passage that stands at two places of a corpus, and cut all but the first.

    INPUT is read as in dedup. Every run of --tokens tokens that begins at an earlier place, too, is found. Whole
    sentences inside such a passage are cut, or lines; where a passage stands first it stays in full. JSONL, CSV,
    Parquet and text files are written so; of other files the passages are found with --no-kept.

    DIR receives kept/, passages.parquet, repeated.parquet, removed.parquet, changed.parquet, run.json and report.html.
    """
    from neardup.cli.job import run_job
    from neardup.passages import find_passages

    run_job(find_passages, **options)
