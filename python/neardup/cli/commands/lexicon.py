"""`neardup lexicon`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("lexicon")
def lexicon(**options: Any) -> None:
    """Count in how many documents each term occurs.

    INPUT is read as in dedup, and FILE receives the counts. The scheme says what a term is, by its tokens, features and
    seed. weight=idf:FILE in a scheme then looks idf up; weight=idf:corpus needs no file, since the run counts its own
    documents.
    """
    from neardup.cli.count import count_terms

    count_terms(**options)
