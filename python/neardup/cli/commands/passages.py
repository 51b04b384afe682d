"""`neardup passages`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("passages")
def passages(**options: Any) -> None:
    """Find passages that occur in two places, and cut them.

    INPUT is read as in dedup. Every run of --tokens tokens that begins at an earlier place, too, is found. Whole
    sentences inside such a passage are cut, or lines; where a passage stands first it stays in full. JSONL, CSV,
    Parquet, Arrow and text files are written so; of other files the passages are found with --no-kept.

    DIR receives kept/, passages.parquet, repeated.parquet, removed.parquet, changed.parquet, run.json and report.html.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.passages import find_passages

    run_job(find_passages, **options)
