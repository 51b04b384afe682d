"""`neardup evaluate`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import (
    html_field_option,
    inputs_argument,
    main_content_option,
    quoted_tsv_option,
    text_field_option,
    threads_option,
    time_field_option,
    url_field_option,
)


@click.command(cls=Command)
@click.argument("truth", metavar="TRUTH")
@inputs_argument
@click.option(
    "--scheme",
    "schemes",
    metavar="LINE",
    multiple=True,
    help="A whole scheme line. May be repeated.  [default: the scheme of the other commands]",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Folder for evaluation.json and report.html.  [default: none; the table is printed only]",
)
@click.option(
    "--complete", is_flag=True, help="Pairs that TRUTH does not list are no duplicates.  [default: they do not count]"
)
@click.option("--at", metavar="NUMBER", help="With a jaccard in TRUTH: the value from which a pair is a duplicate.")
@click.option(
    "--margin",
    metavar="NUMBER",
    help="Pairs whose jaccard is closer to --at than this are left out.  [default: 0.05]",
)
@text_field_option
@html_field_option
@main_content_option
@quoted_tsv_option
@click.option(
    "--id-field",
    metavar="NAME",
    default="id",
    show_default=True,
    help="Field with the id that TRUTH names; '' for ids that are source and row.",
)
@url_field_option
@time_field_option
@threads_option
@click.option("--memory", metavar="SIZE", help="Bound for each run, as 512M or 4G.  [default: half of what there is]")
@click.option("--overwrite", is_flag=True, help="Replace an evaluation that stands in the output folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the evaluation as JSON (the content of evaluation.json).")
@click.option("--quiet", is_flag=True, help="Print nothing but errors and, with --json, the evaluation.")
def evaluate(truth: str, inputs: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Hold schemes against labels: precision, recall and F1 with intervals, curves, time.

    TRUTH is JSONL, CSV or Parquet with one label a record: a, b and label (1 for duplicates, 0 for others); or a, b and
    jaccard, with --at; or id and cluster. INPUT is read as in dedup, twice for each scheme. DIR receives
    evaluation.json and report.html.
    """
    from neardup.cli.inputs import InputName
    from neardup.cli.progress import show_progress
    from neardup.study.evaluation import evaluate as verb

    options["id_field"] = options["id_field"] or None
    command = " ".join(["evaluate", truth, *inputs])
    with show_progress(quiet=quiet) as progress:
        found = verb(truth, [InputName(name) for name in inputs], progress=progress, command=command, **options)
    if as_json:
        click.echo(found.json)
    elif not quiet:
        from neardup.cli.scores import print_scores

        print_scores(found, options["output"])
