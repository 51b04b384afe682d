"""`neardup recluster`."""

import click


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(exists=True, file_okay=False))
@click.option("--threshold", metavar="NUMBER", required=True, help="From which score on pairs belong together.")
@click.option(
    "--policy",
    type=click.Choice(["resemblance", "containment", "contained-by"]),
    default="resemblance",
    show_default=True,
    help="Resemblance; containment of either in the other; or every document goes to the largest that contains it.",
)
@click.option(
    "-o", "--output", metavar="DIR", type=click.Path(file_okay=False), required=True, help="Folder for the results."
)
@click.option("--overwrite", is_flag=True, help="Replace a result that stands in the output folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON (the content of run.json).")
@click.option("--quiet", is_flag=True, help="Print nothing but errors and, with --json, the summary.")
def recluster(run: str, threshold: str, policy: str, output: str, overwrite: bool, as_json: bool, quiet: bool) -> None:
    """Cluster the pairs of a finished run again, at another threshold or by another policy.

    RUN is the folder of a run of neardup pairs, or of neardup cluster --pairs: nothing is read or signed again. The
    threshold lies at or above that of the run. DIR receives clusters.parquet (the documents that belong with another)
    and run.json.
    """
    from neardup.pipeline import recluster as verb

    outcome = verb(run, threshold, policy, output=output, overwrite=overwrite)  # type: ignore[arg-type]
    if as_json:
        click.echo(outcome.json)
    elif not quiet:
        counts = outcome.summary["counts"]
        click.echo(f"pairs      {counts['pairs']:,}")
        click.echo(
            f"clusters   {counts['clusters']:,} of {counts['clustered']:,} documents, of {counts['documents']:,}"
        )
        for warning in outcome.summary["warnings"]:
            click.echo(f"warning    {warning}")
        click.echo(f"digest     {outcome.digest}")
        click.echo(f"results    {output}")
