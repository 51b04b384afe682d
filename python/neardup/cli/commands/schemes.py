"""The commands about schemes: schemes and evaluate."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@options_for("schemes")
def schemes(scheme: str | None, threshold: str | None, recall: str | None, as_json: bool) -> None:
    """List the stages of schemes, the profiles and the classics.

    With an option, the scheme that it chooses is shown: with every choice filled in, with notes and, for bands, with
    the probability that a pair shares a key, by resemblance.
    """
    from neardup.cli.shown.stages import print_scheme, print_stages
    from neardup.errors import UsageError

    if scheme and recall:
        raise UsageError("a scheme states its own keys: leave out --recall")
    if scheme or threshold or recall:
        print_scheme(scheme, threshold, recall, as_json=as_json)
    else:
        print_stages(as_json=as_json)


@click.command(cls=Command)
@click.argument("truth", metavar="TRUTH")
@inputs_argument
@options_for("evaluate")
def evaluate(truth: str, inputs: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Compare schemes with labels: precision, recall, F1, time.

    TRUTH is JSONL, CSV or Parquet with one label a record: a, b and label (1 for duplicates, 0 for others); or a, b and
    jaccard, with --at; or id and cluster. INPUT is read as in dedup, twice for each scheme. DIR receives
    evaluation.json and report.html.
    """
    from neardup.cli.options import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.evaluation.evaluation import evaluate as verb

    options["id_field"] = options["id_field"] or None
    command = " ".join(["evaluate", truth, *inputs])
    with show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
        found = verb(truth, [InputName(name) for name in inputs], progress=progress, command=command, **options)
    if as_json:
        click.echo(found.json)
    elif not quiet:
        from neardup.cli.shown.scores import print_scores
        from neardup.cli.shown.unread import note_account
        from neardup.results.account import Account

        print_scores(found, options["output"])
        note_account(Account(found.files, found.records))
