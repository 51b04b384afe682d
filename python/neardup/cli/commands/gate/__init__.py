"""`neardup gate`: each command opens a gate, calls one of its verbs, and prints."""

import click

from neardup.cli.command import Commands


@click.group(
    commands=Commands(
        "neardup.cli.commands.gate",
        admit="create admit",
        check="check",
        remove="remove expire",
        upkeep="status rebuild",
        serve="serve",
    )
)
def gate() -> None:
    """Stop duplicates as documents are stored.

    A gate is a folder: the index `index`, which decides, and the store `documents.sqlite`, which keeps every document
    and finds the originals by their words. `neardup index` takes it, too. One process writes at a time, the others
    wait. Changes that a command has reported as done are on the disk.
    """
