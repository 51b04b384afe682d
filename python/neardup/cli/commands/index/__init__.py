"""`neardup index`: each command opens an index, calls one of its verbs, and prints."""

import click

from neardup.cli.command import Commands


@click.group(
    commands=Commands(
        "neardup.cli.commands.index",
        add="create add",
        remove="remove expire",
        query="query",
        show="show info",
        lists="clusters documents",
        upkeep="compact verify repair",
    )
)
def index() -> None:
    """Keep documents in an index: add, remove and query them.

    An index is a folder. One process writes at a time, the others wait; any number can read meanwhile. Changes that a
    command has reported as done are on the disk.
    """
