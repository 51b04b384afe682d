"""`neardup index add`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@folder_argument
@inputs_argument
@options_for("index add", "index documents")
def add(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    inputs: tuple[str, ...],
    peers: str | None,
    **options: Any,
) -> None:
    """Add documents, and report which are duplicates.

    INPUT is read as in dedup; it may be another index. Documents that are there already, to the letter, change nothing,
    so the same command resumes after an interruption. Documents of an id that is there otherwise are refused.
    """
    from neardup.cli.commands.index.adding import add_inputs

    add_inputs(lambda: open_index(folder, scheme, parts_scheme, peers), inputs, **options)
