"""`neardup cluster`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import index_option, job_options


@click.command(cls=Command)
@job_options
@click.option(
    "--max-family",
    type=click.IntRange(min=2),
    help="Largest group of one key, or with --pairs of equal documents, whose pairs are all compared or listed.  "
    "[default: 10000]",
)
@click.option(
    "--forest",
    is_flag=True,
    help="Leave what neardup recluster needs for every higher threshold, too: forest.parquet, and thresholds to choose "
    "in report.html.",
)
@click.option("--pairs", is_flag=True, help="List every pair, too: pairs.parquet.")
@index_option
def cluster(**options: Any) -> None:
    """Group documents into components of near-duplicate pairs, each with its leaders.

    INPUT is read as in dedup; no document is removed. DIR receives clusters.parquet, run.json and report.html, with
    --forest forest.parquet, with --pairs pairs.parquet, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.pipeline import cluster as verb

    run_job(verb, **options)
