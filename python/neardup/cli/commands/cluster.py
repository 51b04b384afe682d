"""`neardup cluster`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("cluster")
def cluster(**options: Any) -> None:
    """Group near-duplicates, with the leaders of each group.

    INPUT is read as in dedup; no document is removed. DIR receives clusters.parquet, run.json and report.html, with
    --forest forest.parquet, with --pairs pairs.parquet, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.cluster import cluster as verb

    run_job(verb, **options)
