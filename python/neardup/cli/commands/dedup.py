"""`neardup dedup`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("dedup")
def dedup(**options: Any) -> None:
    """Keep one of every group of near-duplicates, and say why.

    INPUT is a file (.jsonl, .csv, .tsv, .parquet, .arrow, .txt, .md, .html, .warc, .arc; most also .gz or .zst), a
    folder, a glob, an index, or - for JSONL from stdin. A document is dropped only when it was compared with one that
    is kept.

    DIR receives kept/, decisions.parquet, run.json and report.html, and with --index index/.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.dedup import dedup as verb

    run_job(verb, **options)
