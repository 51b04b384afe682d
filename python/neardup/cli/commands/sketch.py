"""`neardup sketch`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("sketch")
def sketch(**options: Any) -> None:
    """Write what a signature keeps of every document.

    INPUT is read as in dedup. Nothing is compared: of the scheme only tokens, features, the first signature and its
    seed matter here. DIR receives sketches.parquet and run.json. The values enter later runs in place of the texts, by
    --text-field values and schemes that begin with the unit given.
    """
    from neardup.cli.job import run_job
    from neardup.jobs.sketch import sketch as verb

    run_job(verb, **options)
