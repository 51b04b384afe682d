"""`neardup lexicon`."""

import json
from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import InputName, end_with, inputs_argument, options_for
from neardup.output.written import plural


@click.command(cls=Command)
@inputs_argument
@options_for("lexicon")
def lexicon(inputs: tuple[str, ...], as_json: bool, quiet: bool, **options: Any) -> None:
    """Count in how many documents each term occurs.

    INPUT is read as in dedup, and FILE receives the counts. The scheme says what a term is, by its tokens, features and
    seed. weight=idf:FILE in a scheme then looks idf up; weight=idf:corpus needs no file, since the run counts its own
    documents.
    """
    from neardup.cli.shown.progress import show_progress
    from neardup.cli.shown.summary import print_rows
    from neardup.cli.shown.unread import IN_JSON, list_account
    from neardup.jobs.lexicon import build_lexicon
    from neardup.results.account import Account

    names = [InputName(name) for name in inputs]
    with show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
        made = build_lexicon(names, progress=progress, **options)
    if as_json:
        click.echo(json.dumps(made._asdict(), ensure_ascii=False))
    elif not quiet:
        unread = list_account(Account(made.files, made.records), IN_JSON)
        skipped = [("skipped", plural(made.rejected, "record"), "red")] if made.rejected else []
        print_rows(
            [
                ("documents", f"{made.documents:,}", "bold"),
                *unread,
                *skipped,
                ("terms", f"{made.terms:,}", ""),
                ("counted", made.counted, ""),
                ("digest", made.digest, ""),
                ("lexicon", made.path, ""),
            ]
        )
    end_with(made.rejected)
