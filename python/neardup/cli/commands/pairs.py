"""`neardup pairs`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("pairs")
def pairs(**options: Any) -> None:
    """List every pair of near-duplicates, with exact counts.

    INPUT is read as in dedup. With --against, only pairs of an input with a reference document are listed: which
    training documents also stand in a test set, say. DIR receives pairs.parquet, run.json and report.html, and with
    --passages passages.parquet.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.pairs import find_pairs as verb

    run_job(verb, **options)
