"""`neardup pairs`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import job_options


@click.command(cls=Command)
@job_options
@click.option(
    "--max-family",
    type=click.IntRange(min=2),
    help="Largest group of equal documents, or of one key, whose pairs are all listed.  [default: 10000]",
)
@click.option("--passages", is_flag=True, help="Find where the documents of every pair say the same: passages.parquet.")
def pairs(**options: Any) -> None:
    """List every pair of near-duplicates, with exact counts and both containments.

    INPUT is read as in dedup. With --against, only pairs of an input with a reference document are listed: which
    training documents also stand in a test set, say. DIR receives pairs.parquet, run.json and report.html, and with
    --passages passages.parquet.
    """
    from neardup.cli.job import run_job
    from neardup.pipeline import find_pairs as verb

    run_job(verb, **options)
