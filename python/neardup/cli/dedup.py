"""`neardup dedup`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import index_option, job_options


@click.command(cls=Command)
@job_options
@click.option("--no-kept", is_flag=True, help="Leave the kept documents out of the results.")
@index_option
def dedup(**options: Any) -> None:
    """Keep one of every group of near-duplicates, and say why each other one goes.

    INPUT is a file (.jsonl, .csv, .tsv, .parquet, .txt, .md, .html, .warc, .arc; most also .gz or .zst), a folder, a
    glob, an index, or - for JSONL from stdin. A document is dropped only when it was checked against one that is kept.

    DIR receives kept/, decisions.parquet, run.json and report.html, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.pipeline import dedup as verb

    run_job(verb, **options)
