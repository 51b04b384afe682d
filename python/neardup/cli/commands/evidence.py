"""`neardup evidence`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import options_for


@click.command(cls=Command)
@click.argument("run", metavar="RUN", type=click.Path(exists=True, file_okay=False))
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@options_for("evidence")
def evidence(run: str, inputs: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Find the passages that pairs of a finished run share.

    RUN is the folder of a run of neardup dedup (every dropped document with its original), cluster (with its leader) or
    pairs. The documents are read again from where the run read them, or from INPUT where they have moved; they must be
    the same, in the same order. DIR receives passages.parquet and run.json, and with --texts evidence.jsonl.
    """
    from neardup.cli.inputs import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.cli.stopping import stopped_by_term
    from neardup.errors import Interrupted
    from neardup.jobs.evidence import evidence as verb

    against = list(options.pop("against")) or None
    given = [InputName(name) for name in inputs] or None
    command = " ".join(["evidence", run, *inputs])
    try:
        with stopped_by_term(), show_progress(quiet=quiet) as progress:
            outcome = verb(run, inputs=given, against=against, progress=progress, command=command, **options)
    except KeyboardInterrupt:
        raise Interrupted("the same command resumes where it was") from None
    if as_json:
        click.echo(outcome.json)
    elif not quiet:
        counts = outcome.summary["counts"]
        click.echo(f"pairs      {counts['pairs']:,}")
        click.echo(f"passages   {counts['passages']:,}")
        click.echo(f"digest     {outcome.digest}")
        click.echo(f"results    {options['output']}")
