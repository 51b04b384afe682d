"""The commands about finished runs: recluster and evidence."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import options_for
from neardup.output.written import plural


@click.command(cls=Command)
@click.argument("run", metavar="RUN", type=click.Path(exists=True, file_okay=False))
@options_for("recluster")
def recluster(
    run: str, thresholds: tuple[str, ...], policy: str, output: str | None, overwrite: bool, as_json: bool, quiet: bool
) -> None:
    """Cluster a finished run at another threshold or policy.

    RUN is the folder of a run of neardup cluster --forest or neardup pairs: nothing is read or signed again. The
    threshold must be at least that of the run. Policies of containment need all pairs, of neardup pairs or neardup
    cluster --pairs. DIR receives clusters.parquet (the documents that belong with another) and run.json. With several
    thresholds, the counts of each are printed as a table.
    """
    if len(thresholds) > 1:
        _compare(run, thresholds, policy, output, as_json, quiet)
        return
    from neardup.jobs.recluster import recluster as verb

    outcome = verb(run, thresholds[0], policy, output=output, overwrite=overwrite)  # type: ignore[arg-type]
    if as_json:
        click.echo(outcome.json)
    elif not quiet:
        counts = outcome.summary["counts"]
        if counts["pairs"] is not None:
            click.echo(f"pairs      {counts['pairs']:,}")
        clustered = plural(counts["clustered"], "document")
        click.echo(f"clusters   {counts['clusters']:,} of {clustered}, of {counts['documents']:,}")
        click.echo(f"largest    {counts['largest']:,}")
        for warning in outcome.summary["warnings"]:
            click.echo(f"warning    {warning}")
        click.echo(f"digest     {outcome.digest}")
        if output is not None:
            click.echo(f"results    {output}")


def _compare(
    run: str, thresholds: tuple[str, ...], policy: str, output: str | None, as_json: bool, quiet: bool
) -> None:
    """Print the counts of clusters at each threshold."""
    from neardup.cli.shown.table import print_table
    from neardup.jobs.recluster import AtThreshold, compare_thresholds

    if output is not None:
        raise click.UsageError("-o takes the clusters at one threshold: give one --threshold, or no -o.")
    rows, warnings = compare_thresholds(run, thresholds, policy)  # type: ignore[arg-type]
    if as_json:
        import json

        click.echo(json.dumps([row._asdict() for row in rows], indent=2))
    elif not quiet:
        print_table(AtThreshold._fields, rows)
        for warning in warnings:
            click.echo(f"warning: {warning}", err=True)


@click.command(cls=Command)
@click.argument("run", metavar="RUN", type=click.Path(exists=True, file_okay=False))
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@options_for("evidence")
def evidence(run: str, inputs: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Find the passages that pairs of a finished run share.

    RUN is the folder of a run of neardup dedup (every dropped document with its original), cluster (with its leader) or
    pairs. The documents are read again from where the run read them, or from INPUT if they have moved; they must be
    the same, in the same order. DIR receives passages.parquet and run.json, and with --texts evidence.jsonl.
    """
    from neardup.cli.job import stopped_by_term
    from neardup.cli.options import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.errors import Interrupted
    from neardup.jobs.evidence import evidence as verb

    against = [InputName(name) for name in options.pop("against")] or None
    given = [InputName(name) for name in inputs] or None
    command = " ".join(["evidence", run, *inputs])
    try:
        with stopped_by_term(), show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
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
